drop function all_written(bigint, bigint);
