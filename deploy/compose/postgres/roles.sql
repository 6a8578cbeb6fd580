-- The role of the service: it can't change what is in the ledger. What it may do else is granted by each migration.
\set password `cat /run/secrets/app_password`
create role wayfare_app login password :'password';
