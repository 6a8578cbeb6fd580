drop table refresh_tokens;
drop table users;
drop table organizations;
