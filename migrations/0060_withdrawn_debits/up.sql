-- A debit note that was due and is withdrawn: it waits no more, and nothing has moved. It is written as done, so that a server of
-- before collects nothing of it; the word for it is a later release's to write.
alter table rulings
    add column withdrawn_at timestamptz,
    drop constraint rulings_state_check,
    add constraint rulings_state_check check (state in ('done', 'due', 'withdrawn'));
