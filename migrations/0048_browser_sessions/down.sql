-- Nobody can use a session without a refresh token afterwards.
delete from sessions where token_hash is not null;
drop index sessions_token_hash_key;
alter table sessions drop constraint sessions_idle;
alter table sessions drop column address;
alter table sessions drop column user_agent;
alter table sessions drop column idle_until;
alter table sessions drop column token_hash;
