//! What others do: the textbook's transaction, and the same rows in one statement.

use rust_decimal::Decimal;
use sha2::{Digest, Sha256};
use tokio::sync::{Mutex, Semaphore};
use tokio_postgres::{Client, Statement};
use wayfare_domain::{Clock, TransferId};

use super::{
    CONNECTIONS, Debit,
    books::{Books, ONE_STATEMENT, Place, TEXTBOOK, connect},
};
use crate::Result;

const LOCK: &str = "select balance::text, held::text, credit_limit::text, sequence, head from wallets
    where org_id = $1 and id = $2 and is_active for update";
const UPDATE: &str = "update wallets set balance = $3::text::numeric, sequence = $4, head = $5
    where org_id = $1 and id = $2";
const TRANSFER: &str = "insert into transfers (org_id, id, key, reason, reference, description, currency, at)
    values ($1, $2, $3, 'booking', 'FA-7K2M9Q4X', 'booking FA-7K2M9Q4X', 'INR', now())";
const ENTRIES: &str = "insert into entries
    (org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, balance_after, previous, seal,
        at, reason)
    values ($1, $2, 0, 'wallet:' || $3::uuid, 'debit', 1, $3, $4, $5::text::numeric, $6::text::numeric, $7, $8, now(),
               'booking'),
           ($1, $2, 1, 'supplier:duffel', 'credit', 1, null, null, null, null, null, null, null, null)";

const ALL: &str = "with old as (select * from wallets where org_id = $1 and id = $2 and is_active for update),
    paid as (update wallets w set balance = w.balance - 1, sequence = w.sequence + 1,
            head = sha256(old.head || uuid_send($3) || int8send(w.sequence + 1)
                || convert_to((w.balance - 1)::text, 'UTF8'))
        from old where w.org_id = old.org_id and w.id = old.id and w.balance - w.held + w.credit_limit >= 1
        returning w.balance, w.sequence, w.head, old.head as previous),
    made as (insert into transfers (org_id, id, key, reason, reference, description, currency, at)
        select $1, $3, $4, 'booking', 'FA-7K2M9Q4X', 'booking FA-7K2M9Q4X', 'INR', now() from paid),
    entered as (insert into entries (org_id, transfer_id, leg, account, side, amount, wallet_id, sequence,
            balance_before, balance_after, previous, seal, at, reason)
        select $1, $3, 0, 'wallet:' || $2::uuid, 'debit', 1, $2, sequence, balance + 1, balance, previous, head,
            now(), 'booking' from paid
        union all select $1, $3, 1, 'supplier:duffel', 'credit', 1, null, null, null, null, null, null, null, null from paid)
    select balance::text from paid";

enum Way {
    Textbook,
    OneStatement,
}

struct Connection {
    client: Client,
    statements: Vec<Statement>,
}

/// A way that is not ours, with a pool of its own.
pub struct Baseline {
    way: Way,
    places: Vec<Place>,
    free: Mutex<Vec<Connection>>,
    count: Semaphore,
}

impl Baseline {
    /// (a): `SELECT … FOR UPDATE`, check, `UPDATE`, `INSERT`s, `COMMIT`, a round trip each.
    pub async fn textbook(books: &Books) -> Result<Self> {
        Self::new(books, TEXTBOOK, Way::Textbook, &[LOCK, UPDATE, TRANSFER, ENTRIES]).await
    }

    /// (b): the same rows in one statement.
    pub async fn one_statement(books: &Books) -> Result<Self> {
        Self::new(books, ONE_STATEMENT, Way::OneStatement, &[ALL]).await
    }

    async fn new(books: &Books, name: &str, way: Way, texts: &[&str]) -> Result<Self> {
        let (url, places) = books.database(name).await?;
        let mut free = Vec::new();
        for _ in 0..CONNECTIONS {
            let client = connect(&url).await?;
            let mut statements = Vec::new();
            for text in texts {
                statements.push(client.prepare(text).await?);
            }
            free.push(Connection { client, statements });
        }
        Ok(Self { way, places, free: Mutex::new(free), count: Semaphore::new(CONNECTIONS) })
    }
}

impl Debit for Baseline {
    async fn debit(&self, wallet: usize) -> Result<()> {
        let place = *self.places.get(wallet).ok_or("no such wallet")?;
        let _permit = self.count.acquire().await?;
        let connection = self.free.lock().await.pop().ok_or("no free connection")?;
        let done = match self.way {
            Way::Textbook => connection.textbook(place).await,
            Way::OneStatement => connection.one_statement(place).await,
        };
        self.free.lock().await.push(connection);
        done
    }
}

impl Connection {
    async fn textbook(&self, place: Place) -> Result<()> {
        let [lock, update, transfer, entries] = self.statements.as_slice() else {
            return Err("four statements".into());
        };
        let (client, organization, wallet) = (&self.client, place.organization, place.wallet);
        client.batch_execute("begin").await?;
        let row = client.query_one(lock, &[&organization, &wallet]).await?;
        let number = |column| -> Result<Decimal> { Ok(row.try_get::<_, String>(column)?.parse()?) };
        let (balance, held, credit_limit) = (number(0)?, number(1)?, number(2)?);
        let (sequence, previous): (i64, Vec<u8>) = (row.try_get(3)?, row.try_get(4)?);
        if balance - held + credit_limit < Decimal::ONE {
            client.batch_execute("rollback").await?;
            return Err("the wallet is empty".into());
        }
        let (sequence, after, id) =
            (sequence + 1, balance - Decimal::ONE, TransferId::new(&Clock::system()).uuid());
        let mut hash = Sha256::new();
        hash.update(&previous);
        hash.update(id.as_bytes());
        hash.update(sequence.to_be_bytes());
        hash.update(after.to_string());
        let head = hash.finalize().to_vec();
        let (balance, after, key) = (balance.to_string(), after.to_string(), format!("bench:{id}"));
        client.execute(update, &[&organization, &wallet, &after, &sequence, &head]).await?;
        client.execute(transfer, &[&organization, &id, &key]).await?;
        client
            .execute(entries, &[&organization, &id, &wallet, &sequence, &balance, &after, &previous, &head])
            .await?;
        Ok(client.batch_execute("commit").await?)
    }

    async fn one_statement(&self, place: Place) -> Result<()> {
        let [all] = self.statements.as_slice() else { return Err("one statement".into()) };
        let id = TransferId::new(&Clock::system()).uuid();
        let key = format!("bench:{id}");
        let rows = self.client.query(all, &[&place.organization, &place.wallet, &id, &key]).await?;
        if rows.len() == 1 { Ok(()) } else { Err("the wallet is empty".into()) }
    }
}
