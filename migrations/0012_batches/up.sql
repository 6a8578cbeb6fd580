-- Undoes the statement that calls it, and so its transaction, unless it wrote every row that it should: what it
-- wrote and the commit are then sent together.
create function all_written(written bigint, expected bigint) returns bigint language plpgsql as $$
begin
    if written <> expected then
        raise exception '% rows instead of % were written', written, expected
            using errcode = 'serialization_failure';
    end if;
    return written;
end $$;

-- The check of entries' transfers is planned while the tables are empty and keeps its plan: of two indexes that begin
-- with the agency it may take the wrong one, and then reads all of an agency's transfers for each entry.
alter table transfers drop constraint transfers_org_id_key_key;
alter table transfers add constraint transfers_key unique (key, org_id);
