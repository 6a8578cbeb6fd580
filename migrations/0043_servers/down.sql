drop table servers;
