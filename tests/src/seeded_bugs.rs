//! Bugs of the service that tests seed from outside, to see that they would be found: behind the ports of suppliers, whose
//! silence is taken wrongly, and in the database, which forgets what it is to keep.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use diesel_async::SimpleAsyncConnection;
use serde_json::Value;
use wayfare_domain::{Faults, Money, Party, Traveller};
use wayfare_flights::{
    AddedServices, AncillaryChoice, ChangeOffer, FareRules, FlightSupplier, JourneyChange, Offer, Offers,
    OrderRequest, PassedOn, PricedOrder, SoldServices, SupplierOrder,
};
use wayfare_hotels::{
    HotelContent, HotelDetails, HotelResults, HotelSupplier, PricedStay, RoomRate, RoomRequest, StayRequest,
    SupplierStay,
};
use wayfare_operations::Database;
use wayfare_supply::{
    AccountBalance, AfterSales, Answer, CancellationQuote, CancellationState, Hook, HookProof, OrderToCancel,
    PartToCancel, PartsTaken, PendingChange, Refusal, RefusalEvidence, SupplierConfig, SupplierHttp,
    SweptOrder, UnaskedRefund,
};

/// Makes the service on this database never write what came back into the fare ledger.
pub async fn forget_refund_fares(database: &Database) {
    let moment = "after insert on fare_transactions for each row when (new.kind = 'refund')";
    let body = "delete from fare_transactions where ctid = new.ctid; return null;";
    seed(database, "forget_refund_fare", moment, body).await;
}

/// Makes the service on this database store what suppliers answer without a seal: with the order, where everybody reads it
/// who reads the order.
pub async fn store_answers_open(database: &Database) {
    let moment = "before insert or update of content on supplier_orders for each row";
    let answer = r#"{"raw": {"passengers": [{"family_name": "Rao"}]}}"#;
    let body = format!("new.content := new.content || '{answer}'; return new;");
    seed(database, "store_answer_open", moment, &body).await;
}

/// Makes the service on this database forget which parts of orders came back, in the transaction that stores it.
pub async fn forget_parts(database: &Database) {
    let moment = "before update on supplier_orders for each row";
    seed(database, "forget_part", moment, "new.given_back := null; return new;").await;
}

/// Makes the service on this database forget every `Idempotency-Key`, in the transaction that stores it.
pub async fn forget_keys(database: &Database) {
    let moment = "after insert on idempotency_keys for each row";
    let body = "delete from idempotency_keys where ctid = new.ctid; return null;";
    seed(database, "forget_key", moment, body).await;
}

/// Makes the service on this database forget that it told a reminder of a hold, in the transaction that stores it.
pub async fn forget_reminders(database: &Database) {
    let moment = "before update of told_at on hold_reminders for each row";
    seed(database, "forget_reminder", moment, "new.told_at := null; return new;").await;
}

/// Lets a trigger of this name do so at this moment.
async fn seed(database: &Database, name: &str, moment: &str, body: &str) {
    let bug = format!(
        "create or replace function {name}() returns trigger language plpgsql as $$ begin {body} end $$;
         create or replace trigger {name} {moment} execute function {name}()"
    );
    let mut connection = database.connection().await.unwrap();
    connection.batch_execute(&bug).await.unwrap();
}

/// A bug behind a supplier's port: how its silence is taken, or what it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortBug {
    /// As if it had refused.
    IsRefusal,
    IsAskedAgain,
    /// A cancellation that is confirmed once more is refused, as soon as the supplier refuses that.
    RepeatIsBelieved,
    /// As if it had accepted what an airline changed.
    IsAcceptance,
    /// As if it had confirmed a change of an order.
    IsChange,
    /// Not silence: who gives a part of an order back gives back all of it.
    PartIsWhole,
}

/// A supplier behind a port that has the bug.
pub(crate) struct Buggy<S: ?Sized> {
    pub supplier: Arc<S>,
    pub bug: PortBug,
    /// The ids of cancellations that were asked for, and whether a second request was refused.
    asked: Mutex<HashMap<String, bool>>,
}

impl<S: ?Sized> Buggy<S> {
    pub fn new(supplier: Arc<S>, bug: PortBug) -> Self {
        Self { supplier, bug, asked: Mutex::default() }
    }

    fn asked(&self) -> MutexGuard<'_, HashMap<String, bool>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PortBug {
    /// What the port makes of the answer to a booking; none: it asks again.
    fn take<T>(self, answer: Answer<T>) -> Option<Answer<T>> {
        match (self, answer) {
            (Self::IsRefusal, Answer::Unknown(reason)) => Some(Answer::Refused(Refusal::new(reason))),
            (Self::IsAskedAgain, Answer::Unknown(_)) => None,
            (_, answer) => Some(answer),
        }
    }
}

/// A port of a supplier. What is only declared here passes to the supplier; what is written out has the bugs.
macro_rules! port {
    (
        impl $([$($kind:tt)*])? $port:ident for $buggy:ty;
        $(fn $told:ident(&self $(, $known:ident: $known_type:ty)*) -> $answer:ty;)*
        $(async fn $asked:ident(&self $(, $given:ident: $given_type:ty)*) -> $done:ty;)*
        with { $($own:tt)* }
    ) => {
        #[async_trait]
        impl $(<$($kind)*>)? $port for $buggy {
            $(fn $told(&self $(, $known: $known_type)*) -> $answer {
                self.supplier.$told($($known),*)
            })*
            $(async fn $asked(&self $(, $given: $given_type)*) -> $done {
                self.supplier.$asked($($given),*).await
            })*
            $($own)*
        }
    };
}

port! {
    impl [S: AfterSales + ?Sized] AfterSales for Buggy<S>;
    fn config(&self) -> &SupplierConfig;
    fn http(&self) -> Option<&SupplierHttp>;
    fn parts_taken(&self) -> PartsTaken;
    fn swept_every(&self) -> Option<Duration>;
    fn hook_proof(&self) -> Option<HookProof<'_>>;
    fn read_hook(&self, body: &[u8]) -> Option<Hook>;
    fn refusal_evidence(&self, cancellation_id: &str) -> RefusalEvidence;
    async fn quote_cancellation(&self, order: OrderToCancel<'_>) -> Answer<CancellationQuote>;
    async fn sweep(&self) -> Answer<Vec<SweptOrder>>;
    async fn unasked_refund(&self, order_id: &str, charged: Money) -> Answer<Option<UnaskedRefund>>;
    async fn balance(&self) -> Answer<Option<AccountBalance>>;
    with {
        async fn cancel(
            &self,
            order_id: &str,
            cancellation_id: &str,
            remarks: Option<&str>,
            part: Option<&PartToCancel>,
        ) -> Answer<CancellationQuote> {
            let part = part.filter(|_| self.bug != PortBug::PartIsWhole);
            let answer = self.supplier.cancel(order_id, cancellation_id, remarks, part).await;
            let is_refused = matches!(answer, Answer::Refused(_));
            let mut asked = self.asked();
            let is_repeat = asked.contains_key(cancellation_id);
            asked.insert(cancellation_id.to_owned(), is_repeat && is_refused);
            answer
        }

        async fn find_cancellation(
            &self,
            order_id: &str,
            cancellation_id: &str,
            part: Option<&PartToCancel>,
        ) -> Answer<CancellationQuote> {
            let found = self.supplier.find_cancellation(order_id, cancellation_id, part).await;
            let is_repeat_refused = self.asked().get(cancellation_id) == Some(&true);
            match found {
                Answer::Done(quote) if self.bug == PortBug::RepeatIsBelieved && is_repeat_refused => {
                    Answer::Done(CancellationQuote { state: CancellationState::Rejected, ..quote })
                }
                found => found,
            }
        }
    }
}

port! {
    impl FlightSupplier for Buggy<dyn FlightSupplier>;
    fn confirms_changes_again(&self) -> bool;
    fn offers_are_single_use(&self) -> bool;
    fn declines(&self, query: &wayfare_flights::Query) -> Option<String>;
    fn check_travellers(&self, travellers: &[Traveller]) -> Faults;
    fn order_wire_format(
        &self, supplier_context: &Value, ancillary_catalog: &Value,
        travellers: &[Traveller], choices: &[AncillaryChoice]
    ) -> Result<Vec<Value>, (usize, String)>;
    fn passed_on(&self, raw: Value) -> PassedOn;
    fn sells_services_later(&self) -> bool;
    fn accepts_changes(&self) -> bool;
    fn changes_journeys(&self) -> bool;
    async fn search(&self, query: &wayfare_flights::Query) -> Answer<Offers>;
    async fn price(&self, tokens: &[&str], party: Party) -> Answer<PricedOrder>;
    async fn fare_rules(&self, offer: &Offer, priced: Option<&PricedOrder>) -> Answer<FareRules>;
    async fn find(&self, lookup: wayfare_flights::Lookup<'_>) -> Answer<Option<SupplierOrder>>;
    async fn ticket(&self, order_id: &str, request: &OrderRequest, total: Money) -> Answer<SupplierOrder>;
    async fn find_ticketed(&self, order_id: &str, request: &OrderRequest) -> Answer<Option<SupplierOrder>>;
    async fn change_offers(&self, order_id: &str, request: &OrderRequest, wanted: &[JourneyChange])
        -> Answer<Vec<ChangeOffer>>;
    async fn prepare_change(&self, order: wayfare_flights::Lookup<'_>, token: &str) -> Answer<PendingChange>;
    async fn find_pending_change(&self, change_id: &str) -> Answer<PendingChange>;
    async fn find_changed(&self, order: wayfare_flights::Lookup<'_>, change_id: &str)
        -> Answer<Option<SupplierOrder>>;
    async fn services(&self, order_id: &str, request: &OrderRequest) -> Answer<SoldServices>;
    async fn add_services(&self, order_id: &str, request: &OrderRequest, added: &AddedServices)
        -> Answer<SupplierOrder>;
    async fn find_added(&self, order_id: &str, request: &OrderRequest, added: &AddedServices)
        -> Answer<Option<SupplierOrder>>;
    with {
        async fn book(&self, order: &OrderRequest) -> Answer<SupplierOrder> {
            match self.bug.take(self.supplier.book(order).await) {
                Some(answer) => answer,
                None => self.supplier.book(order).await,
            }
        }

        async fn accept_change(&self, change_id: &str) -> Answer<()> {
            match (self.bug, self.supplier.accept_change(change_id).await) {
                (PortBug::IsAcceptance, Answer::Unknown(_)) => Answer::Done(()),
                (_, answer) => answer,
            }
        }

        async fn confirm_change(
            &self,
            order: wayfare_flights::Lookup<'_>,
            change: &PendingChange,
        ) -> Answer<PendingChange> {
            match (self.bug, self.supplier.confirm_change(order, change).await) {
                (PortBug::IsChange, Answer::Unknown(_)) => {
                    Answer::Done(PendingChange { is_confirmed: true, ..change.clone() })
                }
                (_, answer) => answer,
            }
        }
    }
}

port! {
    impl HotelSupplier for Buggy<dyn HotelSupplier>;
    fn declines(&self, query: &wayfare_hotels::Query) -> Option<String>;
    fn content_language(&self, language: &str) -> Option<&'static str>;
    fn check_rooms(&self, rooms: &[RoomRequest]) -> Faults;
    async fn search(&self, query: &wayfare_hotels::Query) -> Answer<HotelResults>;
    async fn details(&self, hotel_ids: &[&str], language: &str) -> Answer<Vec<HotelDetails>>;
    async fn content(&self, hotel_ids: &[&str], language: &str) -> Answer<Vec<HotelContent>>;
    async fn price(&self, query: &wayfare_hotels::Query, hotel_id: &str, rates: &[&RoomRate])
        -> Answer<PricedStay>;
    async fn find(&self, lookup: wayfare_hotels::Lookup<'_>) -> Answer<Option<SupplierStay>>;
    with {
        async fn book(&self, request: &StayRequest) -> Answer<SupplierStay> {
            match self.bug.take(self.supplier.book(request).await) {
                Some(answer) => answer,
                None => self.supplier.book(request).await,
            }
        }
    }
}
