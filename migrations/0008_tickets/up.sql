-- A held order is paid by an effect of its own.
alter table effects drop constraint effects_kind_check;
alter table effects add constraint effects_kind_check check (kind in ('book', 'cancel', 'ticket'));
