drop function written_whole(bigint, bigint);
