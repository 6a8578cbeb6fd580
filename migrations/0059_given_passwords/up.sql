-- The hash of a password that somebody else has given; null where nobody has. While it is the hash that counts, whoever has it
-- has not set a password of their own. A server of before that sets another one leaves it behind, and so it counts no more.
alter table operators add column given_password_hash text;
alter table users add column given_password_hash text;
