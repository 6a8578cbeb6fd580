-- What people are told of an event, one row for each of them: written by the statement that writes the event. It has no
-- references: to check them would lock the rows of users in the transactions of their bookings.
create table notifications (
    org_id uuid not null,
    user_id uuid not null,
    -- The event's, of which each user is told once.
    id uuid not null,
    kind text not null,
    title text not null,
    message text not null,
    data jsonb not null,
    created_at timestamptz not null,
    read_at timestamptz,
    primary key (org_id, user_id, id)
);
create index notifications_unread on notifications (org_id, user_id) where read_at is null;
-- They come in the order of time and are removed in it: a small index is enough.
create index notifications_by_time on notifications using brin (created_at);

-- Who is told what concerns the whole agency.
create index users_admins on users (org_id) where role = 'org_admin' and deleted_at is null;
