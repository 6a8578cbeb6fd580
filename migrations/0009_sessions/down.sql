drop index fare_transactions_of_user;
drop index refresh_tokens_of_session;
alter table refresh_tokens add column user_id uuid;
alter table refresh_tokens add column revoked_at timestamptz;
update refresh_tokens t set user_id = s.user_id, revoked_at = s.ended_at
    from sessions s where (s.org_id, s.id) = (t.org_id, t.session_id);
alter table refresh_tokens alter column user_id set not null;
alter table refresh_tokens drop constraint refresh_tokens_org_id_session_id_fkey;
alter table refresh_tokens rename column session_id to family_id;
alter table refresh_tokens add foreign key (org_id, user_id) references users;
create index refresh_tokens_family on refresh_tokens (org_id, family_id);
drop table sessions;
