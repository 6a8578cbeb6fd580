drop index users_admins;
drop table notifications;
