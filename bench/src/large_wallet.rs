//! A wallet with as many transactions as a large agency makes in a year.

use crate::{Installation, Result};

/// Writes so many transactions of the last 400 days into the agency's wallet, of every ten eight bookings, a refund and a
/// top-up, of every hundred an allocation. All of it is as the service writes it but the seals, which nobody reads here.
pub async fn fill_wallet(installation: &Installation, transactions: u32) -> Result<()> {
    let client = installation.connect("wayfare").await?;
    client.batch_execute(&FILL.replace("{transactions}", &transactions.to_string())).await?;
    client.batch_execute("vacuum analyze").await?;
    Ok(())
}

const FILL: &str = "
begin;
create temp table made as
select n, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id, org.id as wallet, org.org_id, agent.id as agents,
    now() - ({transactions} - n) * interval '400 days' / {transactions} as at,
    case when n % 10 < 8 then 'booking' when n % 10 = 8 then 'refund' else 'topup' end as reason,
    case when n % 10 < 8 or n % 100 = 99 then 'debit' else 'credit' end as side,
    case when n % 10 = 9 and n % 100 <> 99 then 10000 else 100 + n * 7919::bigint % 900 end::numeric as amount,
    org.sequence + n as sequence, org.balance as begun, agent.sequence as agents_sequence, agent.balance as agents_begun
from generate_series(1, {transactions}) n
    cross join (select * from wallets where owner_type = 'org' order by sequence desc limit 1) org
    join lateral (select * from wallets where org_id = org.org_id and owner_type = 'user' limit 1) agent on true;
insert into transfers (org_id, id, key, reason, reference, description, performed_by, currency, at)
select org_id, id, 'bench:' || n, reason, case when reason <> 'topup' then 'FA-' || lpad(n::text, 8, '0') end,
    case when reason = 'topup' then case side when 'debit' then 'allocated to agent' else 'wallet topped up by the platform' end
         else reason || ' FA-' || lpad(n::text, 8, '0') end,
    null, 'INR', at from made order by n;
insert into entries (org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, balance_after,
    previous, seal, at, reason)
select org_id, id, 0, 'wallet:' || wallet, side, amount, wallet, sequence,
    after - case side when 'credit' then amount else -amount end, after, seal, seal, at, reason
from (select made.*, decode(repeat('00', 32), 'hex') as seal,
        begun + sum(case side when 'credit' then amount else -amount end) over (order by n) as after from made) numbered
order by n;
insert into entries (org_id, transfer_id, leg, account, side, amount)
select org_id, id, 1, case reason when 'topup' then 'funding' else 'supplier:duffel' end,
    case side when 'credit' then 'debit' else 'credit' end, amount from made where reason <> 'topup' or side = 'credit';
insert into entries (org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, balance_after,
    previous, seal, at, reason)
select org_id, id, 1, 'wallet:' || agents, 'credit', amount, agents, agents_sequence + number, after - amount, after, seal,
    seal, at, reason
from (select made.*, decode(repeat('00', 32), 'hex') as seal, row_number() over (order by n) as number,
        agents_begun + sum(amount) over (order by n) as after from made where reason = 'topup' and side = 'debit') numbered;
update wallets w set sequence = e.sequence, balance = e.balance_after
from (select distinct on (wallet_id) wallet_id, sequence, balance_after from entries where wallet_id is not null
      order by wallet_id, sequence desc) e
where e.wallet_id = w.id;
commit;
";
