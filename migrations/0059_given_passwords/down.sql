alter table users drop column given_password_hash;
alter table operators drop column given_password_hash;
