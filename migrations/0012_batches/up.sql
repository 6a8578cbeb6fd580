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
