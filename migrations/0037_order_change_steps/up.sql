-- Journeys that are changed at their supplier: a step, its row of the fare ledger, and what is flown since. What stands already
-- has none of the new words: it need not be read for that.
alter table effects
    drop constraint effects_kind_check,
    add constraint effects_kind_check check (
        kind in ('book', 'cancel', 'ticket', 'undo', 'add_service', 'accept_change', 'change')
    ) not valid;
alter table order_changes
    drop constraint order_changes_state_check,
    add constraint order_changes_state_check check (
        state in ('informed', 'open', 'accepted', 'chosen', 'refused', 'superseded', 'closed')
    ) not valid;
alter table fare_transactions
    drop constraint fare_transactions_kind_check,
    add constraint fare_transactions_kind_check check (
        kind in ('sale', 'refund', 'adjustment', 'change', 'debit_note', 'write_off')
    ) not valid;
