-- A log-in and all that descends from it. While it lasts its access tokens are accepted, and its refresh tokens are
-- spent one after the other; the row is locked by whoever spends one.
create table sessions (
    org_id uuid not null,
    id uuid not null,
    user_id uuid not null,
    -- The user's epoch at log-in: when the user's has been raised since, the session is over.
    session_epoch integer not null,
    created_at timestamptz not null,
    -- When its newest refresh token ends.
    expires_at timestamptz not null,
    ended_at timestamptz,
    primary key (org_id, id),
    foreign key (org_id, user_id) references users
);
create index sessions_of_user on sessions (org_id, user_id);

insert into sessions
    select t.org_id, t.family_id, t.user_id, u.session_epoch,
           min(t.created_at), max(t.expires_at), max(t.revoked_at)
    from refresh_tokens t join users u on (u.org_id, u.id) = (t.org_id, t.user_id)
    group by t.org_id, t.family_id, t.user_id, u.session_epoch;

drop index refresh_tokens_family;
alter table refresh_tokens drop column user_id;
alter table refresh_tokens drop column revoked_at;
alter table refresh_tokens rename column family_id to session_id;
alter table refresh_tokens add foreign key (org_id, session_id) references sessions on delete cascade;
create index refresh_tokens_of_session on refresh_tokens (org_id, session_id);

-- What one user earned is added up from here.
create index fare_transactions_of_user on fare_transactions (org_id, user_id, issued_at desc, id desc);
