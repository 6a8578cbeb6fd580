-- What the role in wayfare.service_role gets from the owner of the tables: everything the service does, and of the
-- ledger only to read it and to add to it. Idempotent, and all of it or nothing.
do $$
declare
    service constant text := current_setting('wayfare.service_role');
    ledger constant regclass[] := array['transfers', 'entries'];
    ours text;
begin
    -- Whoever owns a table, or the schema it is in, can't be kept from anything.
    if exists (
        select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where pg_class.oid = any (ledger)
            and (pg_has_role(service, relowner, 'member') or pg_has_role(service, nspowner, 'member'))
    ) then
        raise exception 'the service''s role % (DATABASE_URL) is a superuser, the owner of the tables or a member of it, '
            'from whom the ledger can''t be kept: give it a role of its own, or leave MIGRATION_DATABASE_URL out', service;
    end if;

    execute format('grant usage on schema %I to %I', current_schema(), service);
    execute format('grant select, insert, update, delete on all tables in schema %I to %I', current_schema(), service);
    execute format('grant usage on all sequences in schema %I to %I', current_schema(), service);
    -- Those of extensions belong to somebody else, and are everybody's.
    for ours in select oid::regprocedure::text from pg_proc
        where pronamespace = current_schema()::regnamespace and proowner = current_user::regrole loop
        execute format('grant execute on function %s to %I', ours, service);
    end loop;
    execute format('alter default privileges in schema %I grant select, insert, update, delete on tables to %I',
        current_schema(), service);
    execute format('alter default privileges in schema %I grant usage on sequences to %I', current_schema(), service);

    execute format('revoke all on transfers, entries from %I', service);
    execute format('grant select, insert on transfers, entries to %I', service);
    if exists (
        select from unnest(ledger) ledger_table
        where has_table_privilege(service, ledger_table, 'update, delete, truncate, trigger')
            or has_any_column_privilege(service, ledger_table, 'update')
    ) then
        raise exception 'the service''s role % (DATABASE_URL) may change the ledger by what others granted to it, to all or '
            'to a role it is a member of', service;
    end if;
end $$;
