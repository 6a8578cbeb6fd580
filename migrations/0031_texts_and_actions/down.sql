drop index events_by_action;
create index events_by_action on events (action, org_id, id);

do $$
declare
    made constant boolean := obj_description(to_regclass('transfers_by_text'), 'pg_class') = 'pg_trgm was installed for it';
begin
    drop index if exists transfers_by_text, transfers_by_reference;
    drop function references_in(text);
    if made then
        drop extension pg_trgm;
    end if;
exception
    -- Others use it by now.
    when dependent_objects_still_exist then
        drop index if exists transfers_by_text, transfers_by_reference;
        drop function references_in(text);
end $$;
