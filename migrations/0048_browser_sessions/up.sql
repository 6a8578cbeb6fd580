-- A session of a browser has one token, kept hashed, in the place of a pair that is renewed; it ends when it was not used
-- for a while. Where a session began is kept of every kind, for the list that its user reads.
alter table sessions add column token_hash bytea;
alter table sessions add column idle_until timestamptz;
alter table sessions add column user_agent text;
alter table sessions add column address text;
alter table sessions add constraint sessions_idle check ((token_hash is null) = (idle_until is null));
create unique index sessions_token_hash_key on sessions (token_hash);
