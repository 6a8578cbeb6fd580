-- As `all_written` of migration 0012, which servers of before go on to call, but under a state of its own: a state of
-- PostgreSQL's or of an engine behind its protocol, as serialization_failure, says that the same may be tried again.
create function written_whole(written bigint, expected bigint) returns bigint language plpgsql as $$
begin
    if written <> expected then
        raise exception '% rows instead of % were written', written, expected
            using errcode = 'WF001', constraint = 'written_whole';
    end if;
    return written;
end $$;
