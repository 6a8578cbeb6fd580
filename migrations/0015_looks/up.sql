-- How often an agency's searches were put to a supplier, by day (UTC): suppliers charge for looks that come to nothing.
create table looks (
    org_id uuid not null references organizations,
    supplier text not null,
    day date not null,
    -- Because of the agency the supplier was asked.
    asked bigint not null check (asked >= 0),
    -- The answer to somebody's same question served it.
    shared bigint not null check (shared >= 0),
    primary key (org_id, supplier, day)
);
