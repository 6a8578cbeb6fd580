-- Where a text may hold a booking's reference: at each hyphen two letters before it and eight after it (D-324).
create function references_in(description text) returns text[] immutable parallel safe language sql as $$
    select array_agg(right(part[n], 2) || '-' || left(part[n + 1], 8))
    from string_to_array(description, '-') part, generate_series(1, cardinality(part) - 1) n
$$;

-- A text within descriptions is found by the parts of its words where PostgreSQL has pg_trgm and lets the tables' owner use
-- it; elsewhere whole references are found, and other texts by reading all descriptions (D-323).
do $$
declare
    made boolean := false;
    schema_of text;
begin
    if not exists (select from pg_extension where extname = 'pg_trgm') then
        begin
            create extension pg_trgm;
            made := true;
        exception
            -- Whatever a provider says who does not offer it: nothing hangs on it.
            when others then
                raise notice 'no pg_trgm: %', sqlerrm;
        end;
    end if;
    select quote_ident(nspname) into schema_of
    from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm';
    if schema_of is null then
        create index transfers_by_reference on transfers using gin (references_in(lower(description)));
    else
        execute format('create index transfers_by_text on transfers using gin (lower(description) %s.gin_trgm_ops)', schema_of);
    end if;
    if made then
        comment on index transfers_by_text is 'pg_trgm was installed for it';
    end if;
    -- How often which text occurs: plans rest on it. An empty table that is analyzed would count as one that stays so.
    if exists (select from transfers) then
        analyze transfers;
    end if;
end $$;

-- While the table is empty this and the primary key cost a plan the same, and their age decided. A partial index costs less;
-- the statement says its condition (D-326). A server of before reads the primary key instead.
drop index events_by_action;
create index events_by_action on events (action, org_id, id) where action <> '';
