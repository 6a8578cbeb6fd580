alter table rulings
    drop constraint rulings_state_check,
    add constraint rulings_state_check check (state in ('done', 'due')),
    drop column withdrawn_at;
