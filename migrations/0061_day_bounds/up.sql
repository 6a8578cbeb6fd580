-- When days began of which statements, exports and reports were made, by the rules that their time zones had then. A newer time zone
-- database moves none of them.
create table day_bounds (
    zone text,
    day date,
    began_at timestamptz not null,
    primary key (zone, day)
);
