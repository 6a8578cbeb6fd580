//! What every supplier can be asked about an order that it holds for us, whatever was bought.

use std::{fmt, time::Duration};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wayfare_domain::{Currency, KeptByTerms, Money, OrderStatus, PartOfJourney, PassengerType, Traveller};

use crate::{
    Answer, Hook, HookProof, PermitUse, Refusal, SupplierConfig, SupplierHttp, SupplierMetrics,
    SupplierPauses,
};

/// How a cancellation stands at its supplier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum CancellationState {
    /// It was not carried out yet.
    Pending,
    /// It was carried out.
    Confirmed,
    /// The supplier says of it that it never will be, though it may have taken it before.
    Rejected,
}

/// An order that may be given back, as we know it.
#[derive(Clone, Copy, Debug)]
pub struct OrderToCancel<'a> {
    /// The supplier's id of it.
    pub id: &'a str,
    /// How it stands with us.
    pub status: OrderStatus,
    /// What it was sold to us for, in the supplier's currency: T. None where no answer has told it.
    pub charged: Option<Money>,
    /// Which part of it; none of all of it.
    pub part: Option<&'a PartToCancel>,
    /// What the terms keep of it now under which it was sold, where they are known.
    pub kept_by_terms: Option<KeptByTerms>,
    /// When the day begins there on which it begins to be used, UTC, where terms may depend on that.
    pub first_day: Option<DateTime<Utc>>,
}

/// A part of an order that is to be given back, as a supplier is told of it: with names. It is stored nowhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartToCancel {
    /// One entry for each journey that somebody no longer flies.
    pub journeys: Vec<JourneyToCancel>,
    /// All whom the booking is for: who of an order is who is told of all together.
    pub party: Vec<Traveller>,
}

/// Some of those who fly a journey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JourneyToCancel {
    /// As the order has it, with its date and airports.
    pub journey: PartOfJourney,
    /// Who flies it no more.
    pub travellers: Vec<TravellerToCancel>,
}

/// Somebody who does not fly, of the party of [`PartToCancel`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TravellerToCancel {
    /// Their index in the booking.
    pub index: u32,
    /// The age group.
    pub kind: PassengerType,
}

/// Which parts of its orders a supplier takes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartsTaken {
    /// Some journeys of several.
    pub journeys: bool,
    /// Some travellers of several.
    pub travellers: bool,
}

/// What giving an order back would return, asked before it is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CancellationQuote {
    /// The supplier's id of the cancellation to be confirmed.
    pub id: String,
    /// What the supplier gives back, in its currency; none = it only says later, or it is unclear.
    pub refund: Option<Money>,
    /// What comes back at most, where `refund` is worked out from terms and only the supplier's answer to the cancellation
    /// tells how much it is. None where `refund` is the supplier's own word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<Money>,
    /// Why nobody can tell what comes back, though something was said of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unclear: Option<UnclearRefund>,
    /// What the part that it is of was sold to us for, where the supplier tells that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_total: Option<Money>,
    /// When the quote is no longer good, UTC.
    pub expires_at: Option<DateTime<Utc>>,
    /// Whether it was carried out, refused, or is still open.
    pub state: CancellationState,
    /// The supplier's answer as it came.
    pub raw: Value,
}

impl CancellationQuote {
    /// One that says no more of what comes back than this.
    pub fn of(id: impl Into<String>, refund: Option<Money>, state: CancellationState, raw: Value) -> Self {
        Self {
            id: id.into(),
            refund,
            at_most: None,
            unclear: None,
            part_total: None,
            expires_at: None,
            state,
            raw,
        }
    }
}

/// What a supplier says of a refund that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnclearRefund {
    /// What of it could not be read.
    pub reason: String,
    /// What came, as far as it is about money: it names nobody.
    pub came: Value,
}

impl UnclearRefund {
    /// Of these members of an answer.
    pub fn of(reason: impl fmt::Display, answer: &Value, members: &[&str]) -> Self {
        let came = members.iter().filter_map(|name| Some((*name, answer.get(*name)?)));
        Self {
            reason: reason.to_string(),
            came: came.map(|(name, value)| (name.to_owned(), value.clone())).collect(),
        }
    }

    /// Of an answer that is none.
    pub fn of_body(reason: impl fmt::Display, body: &[u8]) -> Self {
        let text = String::from_utf8_lossy(body);
        Self { reason: reason.to_string(), came: text.chars().take(LONGEST_CAME).collect::<String>().into() }
    }
}

/// So much is told of an answer that is none: whoever keeps it takes out whom it names, and shortens it.
const LONGEST_CAME: usize = 2_000;

/// What a change of an order's flights costs, in the supplier's currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangePrice {
    /// What is charged for it; below zero where something comes back.
    pub total: Money,
    /// What of that is a penalty: the rest is how much more or less the flights cost.
    pub penalty: Money,
    /// Whether what comes back is money: credit with an airline is nothing to us.
    pub is_money: bool,
}

/// A change of an order's flights that a supplier has ready: it is nothing until it is confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingChange {
    /// The supplier's id of it.
    pub id: String,
    /// As the supplier named it when it was made ready.
    pub price: ChangePrice,
    /// When it can't be confirmed any more, UTC.
    pub expires_at: Option<DateTime<Utc>>,
    /// Whether it was carried out, not only made ready.
    pub is_confirmed: bool,
    /// What the adapter needs again to confirm it; opaque to others, and it names nobody.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub supplier_context: Value,
}

/// What our account with a supplier holds. What it does not tell is none, never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountBalance {
    /// What was paid in and not spent.
    pub balance: Option<Decimal>,
    /// What may be owed beyond it.
    pub credit: Option<Decimal>,
    /// The currency of balance and credit.
    pub currency: Currency,
}

/// An order that a supplier's list shows, because something has happened to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweptOrder {
    /// The supplier's id of it.
    pub order_id: String,
    /// What is shown of it, in few words: it is news where that is another than before.
    pub mark: String,
}

/// An order as a supplier's list of all orders shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedOrder {
    /// The supplier's id of it.
    pub order_id: String,
    /// Our reference, as it was sent with the order; none where the list does not show it.
    pub reference: Option<String>,
    /// When it was made, as the supplier writes it.
    pub made_at: Option<String>,
    /// Whether it is cancelled.
    pub is_cancelled: bool,
}

/// What a supplier gives back for an order that it has cancelled by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnaskedRefund {
    /// How much, in the currency that it says.
    pub amount: Money,
    /// How, in its own word, such as the form of payment; none where it does not say.
    pub to: Option<String>,
}

/// What shows that a cancellation to which no answer came was not carried out, and will not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum RefusalEvidence {
    /// The order: one that still stands when the supplier has had all its time was not given back.
    OrderStands,
    /// The end of the supplier's quote. Until then the quote may be confirmed once more: its id makes both confirmations
    /// one cancellation to the supplier.
    QuoteExpired,
    /// Nothing that can be asked for: it may still be carried out at any time.
    Nothing,
}

/// A supplier, whatever it sells: how it is reached, and how its orders are given back. Each call is sent at most once;
/// no implementation retries. What has a default is for a supplier that can't do it, or does not tell.
#[async_trait]
pub trait AfterSales: Send + Sync {
    /// Its configuration, with the opaque code that clients see.
    fn config(&self) -> &SupplierConfig;

    /// Our HTTP client, where it is reached by that: then it is measured and left alone as that client says. None of one that is reached
    /// in another way, which may measure by itself.
    fn http(&self) -> Option<&SupplierHttp> {
        None
    }

    /// How it is now, and how calls to it ended since the start.
    fn metrics(&self) -> SupplierMetrics {
        self.http().map(SupplierHttp::metrics).unwrap_or_default()
    }

    /// What is under way there now.
    fn permit_use(&self) -> PermitUse {
        self.http().map_or_else(|| self.metrics().permits, SupplierHttp::permit_use)
    }

    /// When it asks to be left alone; none of one that never does.
    fn pauses(&self) -> Option<SupplierPauses> {
        self.http().map(SupplierHttp::pauses)
    }

    /// What cancelling the order would return. Changes nothing that matters. An answer that can't be read is a quote that says
    /// so, without an id where it could not be carried out. One that quotes nothing is asked to cancel under the order's id, and
    /// what comes back is not known.
    async fn quote_cancellation(&self, order: OrderToCancel<'_>) -> Answer<CancellationQuote> {
        match order.part {
            Some(_) => Answer::Refused(Refusal::new("this supplier takes no part of an order back")),
            None => {
                Answer::Done(CancellationQuote::of(order.id, None, CancellationState::Pending, Value::Null))
            }
        }
    }

    /// Carries a quoted cancellation, of the order or of this part of it, out: an effect. `remarks` are for the supplier's people,
    /// where it takes any.
    async fn cancel(
        &self,
        order_id: &str,
        cancellation_id: &str,
        remarks: Option<&str>,
        part: Option<&PartToCancel>,
    ) -> Answer<CancellationQuote>;

    /// The cancellation, of the order or of this part of it, as it stands. A refusal says that the supplier knows of no such
    /// cancellation; that it rejected one is a state of it. Where it tells of none, nobody knows.
    async fn find_cancellation(
        &self,
        _order_id: &str,
        _cancellation_id: &str,
        _part: Option<&PartToCancel>,
    ) -> Answer<CancellationQuote> {
        Answer::Unknown("this supplier does not tell what became of a cancellation".to_owned())
    }

    /// Which parts of its orders it takes back; of what it does not, nothing is sent there.
    fn parts_taken(&self) -> PartsTaken {
        PartsTaken::default()
    }

    /// What comes back for an order that the supplier has cancelled by itself, which had charged us this. None where it does
    /// not say.
    async fn unasked_refund(&self, _order_id: &str, _charged: Money) -> Answer<Option<UnaskedRefund>> {
        Answer::Done(None)
    }

    /// How often its list of orders is read to which something has happened; none where it has no such list.
    fn swept_every(&self) -> Option<Duration> {
        None
    }

    /// The orders to which something has happened there that we did not ask for, as far as one list tells them all.
    async fn sweep(&self) -> Answer<Vec<SweptOrder>> {
        Answer::Done(Vec::new())
    }

    /// All orders that were made there since then, and more where its list can't be narrowed so. None where the supplier has no
    /// list of orders.
    async fn orders_since(&self, _since: DateTime<Utc>) -> Answer<Option<Vec<ListedOrder>>> {
        Answer::Done(None)
    }

    /// What proves its hooks, a token where it signs nothing; none where it posts none.
    fn hook_proof(&self) -> Option<HookProof<'_>> {
        self.config().hook_secret.as_ref().map(HookProof::Token)
    }

    /// What a hook says; none where it can't be read.
    fn read_hook(&self, _body: &[u8]) -> Option<Hook> {
        None
    }

    /// What our account there holds. None where the supplier does not tell, or has said nothing new.
    async fn balance(&self) -> Answer<Option<AccountBalance>> {
        Answer::Done(None)
    }

    /// What shows that the cancellation of this id, to which no answer came, was not carried out.
    fn refusal_evidence(&self, _cancellation_id: &str) -> RefusalEvidence {
        RefusalEvidence::Nothing
    }
}
