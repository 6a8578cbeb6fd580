//! What comes back of an order by its supplier's quote, and what is done where the quote does not tell (D-581, D-582).

use std::time::Duration;

use chrono::{DateTime, Utc};
use diesel_async::AsyncConnection;
use serde_json::{Value, json};
use wayfare_domain::{CancelledPart, IncidentKind, KeptByTerms, Money, OrderStatus};
use wayfare_pricing::Paid;
use wayfare_store::booking::{
    bookings::{self, Booking, Order},
    incidents::is_raised_on_order,
};
use wayfare_supply::{CancellationQuote, OrderToCancel, PartToCancel};

use crate::{
    Core, Engine, Error, RefundTerms, Result,
    engine::{
        cancellation::{self, paid_for, sale_of},
        incidents, note,
    },
    money::refund_terms::Returned,
};

/// So often a supplier is asked whose quotes can't be read.
const MOST_TRIES: u32 = 3;
/// So long after such a quote it is asked again.
const PAUSE: Duration = Duration::from_millis(300);

/// So much is kept of an answer that is no JSON.
const LONGEST_CAME: usize = 200;

/// What is longer says more than what comes back.
const MOST_CAME: usize = 2_000;

pub(crate) struct Asked<'a, P, O> {
    pub booking: &'a Booking<P>,
    pub order: &'a Order<O>,
    pub order_id: &'a str,
    /// What its supplier charged for it.
    pub charged: Option<Money>,
    /// What of it, where that is not the order as it was sold.
    pub part: Option<&'a CancelledPart>,
    pub named: Option<&'a PartToCancel>,
    /// Whether the terms under which it was sold say that it costs nothing now.
    pub is_free: bool,
    /// What those terms keep, as far as they tell.
    pub kept_by_terms: Option<KeptByTerms>,
    pub first_day: Option<DateTime<Utc>>,
    /// Since when the worker asks for it again and again; none where somebody waits for the answer.
    pub repeated_since: Option<DateTime<Utc>>,
}

/// A quote, and what it comes to for the wallet.
pub(crate) struct PricedQuote {
    pub quote: CancellationQuote,
    pub terms: RefundTerms,
    /// The amount is that of the terms under which it was sold: the quote does not tell.
    pub by_terms: bool,
}

/// Nobody can tell what comes back: the operator is told.
pub(crate) struct Unclear {
    pub reason: String,
    /// The supplier may say it otherwise next time: it said nothing, or what can't be read.
    pub may_change: bool,
}

enum Worth {
    Amounts(RefundTerms),
    /// Nobody can tell, and why.
    Unclear(String),
}

/// Has an order quoted. A supplier whose quotes can't be read is asked again; then the terms under which the order was sold
/// decide, if they say that it is free now, else the operator is told.
///
/// # Errors
/// The supplier's refusal or outage.
pub(crate) async fn ask<P: Sync, O: Sync>(
    engine: &Engine,
    asked: Asked<'_, P, O>,
) -> Result<Result<PricedQuote, Unclear>> {
    let mut tries = 0;
    loop {
        let given_back = OrderToCancel {
            id: asked.order_id,
            status: asked.order.status,
            charged: asked.charged,
            part: asked.named,
            kept_by_terms: asked.kept_by_terms,
            first_day: asked.first_day,
        };
        let quote = cancellation::quote(engine, &asked.order.supplier, given_back).await?;
        tries += 1;
        let reason = match worth(&asked, &quote)? {
            Worth::Amounts(terms) => {
                return Ok(Ok(PricedQuote { quote, terms, by_terms: false }));
            }
            Worth::Unclear(reason) => reason,
        };
        // What was said clearly will not be said otherwise.
        if quote.unclear.is_some() && tries < MOST_TRIES && asked.repeated_since.is_none() {
            tokio::time::sleep(PAUSE).await;
            continue;
        }
        if let Some((refund, terms)) = by_terms(&asked, &quote)? {
            tracing::warn!(booking = %asked.booking.reference, reason, "an order is given back by the terms that were sold");
            let quote = CancellationQuote { refund: Some(refund), ..quote };
            return Ok(Ok(PricedQuote { quote, terms, by_terms: true }));
        }
        raise(&engine.core, &asked, &quote, &reason).await?;
        return Ok(Err(Unclear { reason, may_change: quote.refund.is_none() }));
    }
}

/// What a quote for an order, or for a part of it, comes to for the wallet.
fn worth<P, O>(asked: &Asked<'_, P, O>, quote: &CancellationQuote) -> Result<Worth> {
    let sale = sale_of(asked.booking, asked.order)?;
    // We do not know what to send for a hold that can't be read.
    if asked.order.status == OrderStatus::Held && !quote.id.is_empty() {
        return Ok(Worth::Amounts(RefundTerms::of_unpaid_hold(&Paid::of(sale)?)?));
    }
    let Some(refund) = quote.refund else {
        let reason = match &quote.unclear {
            Some(_) => "what the supplier says that it would give back can't be read",
            None => "the supplier does not say what it would give back",
        };
        return Ok(Worth::Unclear(reason.to_owned()));
    };
    let paid = paid_for(sale, asked.order, asked.part, quote.part_total)?;
    let charged = match asked.part.filter(|cancelled| !cancelled.is_whole) {
        None if asked.order.given_back.is_empty() => asked.charged.unwrap_or(refund),
        _ => paid.supplier_due,
    };
    let returned = Returned { charged, refund };
    if !RefundTerms::can_be_told(&paid, returned) {
        return Ok(Worth::Unclear(format!(
            "the supplier would give back {refund} {}, and had charged {}",
            refund.currency().code(),
            charged.currency().code()
        )));
    }
    Ok(Worth::Amounts(RefundTerms::of(&paid, returned)?))
}

/// What comes back by the terms under which the order was sold, where they say that it is free now: the fare. What was bought
/// beside it is not in them.
fn by_terms<P, O>(
    asked: &Asked<'_, P, O>,
    quote: &CancellationQuote,
) -> Result<Option<(Money, RefundTerms)>> {
    let sale = sale_of(asked.booking, asked.order)?;
    let is_as_sold = asked.part.is_none() && asked.order.given_back.is_empty() && sale.changes.is_empty();
    let can_be_carried_out = !quote.id.is_empty() && asked.order.status == OrderStatus::Confirmed;
    // One that the supplier has said otherwise is no question of terms.
    if !asked.is_free || !is_as_sold || !can_be_carried_out || quote.refund.is_some() {
        return Ok(None);
    }
    let paid = Paid::of(sale)?;
    let returned =
        Returned { charged: asked.charged.unwrap_or(paid.supplier_due), refund: sale.supplier_total };
    let terms = match RefundTerms::can_be_told(&paid, returned) {
        true => Some(RefundTerms::of(&paid, returned)?),
        false => None,
    };
    Ok(terms.map(|terms| (sale.supplier_total, terms)))
}

/// Tells the operator that nobody knows what comes back of this order, once while that is open.
async fn raise<P: Sync, O: Sync>(
    core: &Core,
    asked: &Asked<'_, P, O>,
    quote: &CancellationQuote,
    reason: &str,
) -> Result<()> {
    let kind = IncidentKind::RefundUnclear;
    let (organization, id) = (asked.booking.organization, asked.booking.id);
    let unclear = quote.unclear.as_ref();
    // What the supplier says may name people.
    let scrubbed = async |text: &str| note::without_people(core, (organization, id), text).await;
    let unreadable = match unclear {
        Some(unclear) => Some(scrubbed(&unclear.reason).await?),
        None => None,
    };
    let came = match unclear.map(|unclear| &unclear.came) {
        Some(Value::String(text)) => {
            let text = scrubbed(text).await?;
            text.chars().take(LONGEST_CAME).collect::<String>().into()
        }
        Some(came) => {
            let text = scrubbed(&came.to_string()).await?;
            let is_short = text.len() <= MOST_CAME;
            serde_json::from_str(&text).ok().filter(|_: &Value| is_short).unwrap_or_default()
        }
        None => Value::Null,
    };
    let details = json!({
        "number": asked.order.number, "supplier": asked.order.supplier, "order_id": asked.order_id,
        "charged": asked.charged, "quoted": quote.refund, "reason": reason,
        "unreadable": unreadable, "came": came,
    });
    let mut connection = core.database.connection().await?;
    connection
        .transaction(async |connection| {
            let booking = bookings::lock(connection, organization, id).await?;
            if is_raised_on_order(connection, (organization, id), kind, asked.order_id, asked.repeated_since)
                .await?
            {
                return Ok(());
            }
            let problem = "nobody can tell what comes back of an order that its agency wants to give back";
            incidents::raise_on_booking(core, connection, &booking, kind, problem, details).await?;
            Ok::<_, Error>(())
        })
        .await
}
