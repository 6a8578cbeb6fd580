//! What happens to purchases after their sale: parts that are given back and exchanges, asked of the real ledger and
//! chosen at random. What is begun is written beside the committers, so it is asked for before all that is asked at once; how it
//! ends is theirs to write.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use rand::{RngExt, seq::IndexedRandom};
use wayfare_domain::{Actor, CancelledPart, EventKind, HoldId, OrderPart, ProductKind, StepKind};
use wayfare_pricing::SoldChange;
use wayfare_store::{
    JsonText,
    booking::{
        bookings::{self, Booking, Order},
        steps::Step,
    },
};
use wayfare_supply::ChangePrice;

use super::{
    Run,
    real::{Real, made, rupees},
    simple::{AfterSale, Ask, Purchase},
};
use crate::{
    RefundTerms, Result, Returned,
    engine::{
        begin_step::{self, BeginSteps, StepRequest},
        cancellation::{self, CancelRequest, Quoted},
        complete::CompleteStep,
        step::{CarriedOut, Service, StepOutcome},
        steps::{cancel, change::ChangeRequest},
    },
};

/// What was begun after a sale.
pub(super) struct BegunStep {
    pub(super) what: AfterSale,
    /// What the supplier was to charge for all of the purchase then.
    pub(super) sold: i64,
    pub(super) step: Step,
}

impl Real {
    /// Writes it down, as it is before a supplier is asked.
    pub(super) async fn begin(&self, reference: &str, what: AfterSale) -> Result<Step> {
        let (booking, order) = self.stored(reference).await;
        match what {
            AfterSale::GiveBack { part, keeps, is_last } => {
                self.begin_to_give_back(&booking, &order, [part, keeps], is_last).await
            }
            AfterSale::Change { difference, penalty } => {
                self.begin_to_change(&booking, &order, difference, penalty).await
            }
        }
    }

    async fn stored(&self, reference: &str) -> (Booking<()>, Order<JsonText>) {
        let sold = &self.steps[reference];
        let mut connection = AsyncPgConnection::establish(&self.url).await.unwrap();
        let (organization, id) = (sold.organization, sold.booking);
        let booking = bookings::by_id(&mut connection, organization, id).await.unwrap();
        let mut orders = bookings::orders_of(&connection, &[(organization, id)]).await.unwrap();
        (booking, orders.remove(&id).unwrap().remove(0))
    }

    async fn begin_to_give_back(
        &self,
        booking: &Booking<()>,
        order: &Order<JsonText>,
        [part, keeps]: [i64; 2],
        is_last: bool,
    ) -> Result<Step> {
        let cancelled = CancelledPart { part: OrderPart(Vec::new()), is_last, is_whole: false };
        let request = CancelRequest {
            quoted: Some(rupees(part - keeps)),
            part_total: Some(rupees(part)),
            ..CancelRequest::of("order").part(Some(cancelled.clone()))
        };
        let begun = BeginSteps {
            booking,
            kind: StepKind::Cancel,
            action: EventKind::BookingCancelRequested,
            note: None,
            requests: vec![StepRequest::on(order, request.clone())?],
            service: None,
            by_itself: false,
        };
        let mut steps = begin_step::open(&self.platform.engine, &Actor::system(), begun, None).await?;
        let sale = booking.sale(1).unwrap();
        let paid = cancellation::paid_for(sale, order, Some(&cancelled), request.part_total)?;
        let returned = Returned { charged: paid.supplier_due, refund: rupees(part - keeps) };
        let quoted =
            Quoted { step: steps.remove(0), request, terms: Some(RefundTerms::of(&paid, returned)?) };
        let mut steps = cancellation::write_quotes(&self.platform.engine, booking, vec![quoted]).await?;
        Ok(steps.remove(0))
    }

    async fn begin_to_change(
        &self,
        booking: &Booking<()>,
        order: &Order<JsonText>,
        difference: i64,
        penalty: i64,
    ) -> Result<Step> {
        let total = difference + penalty;
        let service = (total > 0).then(|| Service {
            hold: HoldId::new(&self.platform.core.clock),
            amount: rupees(total),
            sold: Vec::new(),
        });
        let request = ChangeRequest {
            booked: JsonText::of(&()).unwrap(),
            order_id: "order".to_owned(),
            token: "offer".to_owned(),
            price: ChangePrice { total: rupees(total), penalty: rupees(penalty), is_money: true },
            shown: (rupees(total), rupees(total)),
            pending: None,
            confirmed_again_at: None,
            cost: SoldChange {
                supplier_difference: rupees(difference),
                difference: rupees(difference),
                penalty: rupees(penalty),
            },
            service: service.clone(),
            journeys: Vec::new(),
        };
        let begun = BeginSteps {
            booking,
            kind: StepKind::Change,
            action: EventKind::BookingJourneyChangeRequested,
            note: None,
            requests: vec![StepRequest::on(order, request)?],
            service: service.as_ref(),
            by_itself: false,
        };
        let mut steps = begin_step::open(&self.platform.engine, &Actor::system(), begun, None).await?;
        Ok(steps.remove(0))
    }

    /// The supplier has answered: what became of the booking.
    pub(super) async fn end(&self, name: &str, done: bool) -> Result<&'static str> {
        let BegunStep { what, sold, step } = &self.begun[name];
        let outcome = match what {
            _ if !done => StepOutcome::Refused("not now".to_owned(), None),
            AfterSale::GiveBack { .. } => {
                cancel::done(ProductKind::Flight, &step.request.parse()?, CarriedOut::default())
            }
            AfterSale::Change { difference, .. } => StepOutcome::OrderMade(made("order", sold + difference)?),
        };
        let command = CompleteStep { step: step.clone(), actor: Actor::system(), outcome };
        let ended = self.platform.engine.group_commit.carry_out(command).await?;
        Ok(ended.booking.status.into())
    }
}

impl Run {
    /// Some purchases, most of them such as it can be begun with, none twice: of two at once nobody knows which is first.
    pub(super) fn begins(&mut self) -> Vec<Ask> {
        let mut references: Vec<String> = self.real.steps.keys().cloned().collect();
        references.sort_unstable();
        let can_begin = |purchase: &Purchase| purchase.status == "confirmed" && !purchase.under_way;
        let random = &mut self.random;
        references.retain(|reference| {
            let likely = match can_begin(&self.model.purchases[reference]) {
                true => 0.1,
                false => 0.01,
            };
            random.random_bool(likely)
        });
        references.into_iter().map(|reference| self.beginning(reference)).collect()
    }

    fn beginning(&mut self, reference: String) -> Ask {
        self.count += 1;
        let random = &mut self.random;
        let due = self.model.purchases[&reference].due.max(1);
        let what = if random.random_bool(0.6) {
            let part = match random.random_bool(0.3) {
                true => due,
                false => random.random_range(1..=due),
            };
            let keeps = match random.random_range(0..10) {
                0..4 => 0,
                4 => part,
                _ => random.random_range(0..=part),
            };
            AfterSale::GiveBack { part, keeps, is_last: part == due }
        } else {
            AfterSale::Change {
                difference: random.random_range(-due / 2..=due / 2 + 5_000),
                penalty: random.random_range(0..=3_000) * i64::from(random.random_bool(0.5)),
            }
        };
        Ask::Begin { name: format!("after:{}", self.count), reference, what }
    }

    /// Anything that was begun, ended or not.
    pub(super) fn ending(&mut self) -> Option<Ask> {
        let mut names: Vec<&String> = self.model.begun.keys().collect();
        names.sort_unstable();
        if self.random.random_bool(0.9) {
            names.retain(|name| self.model.begun[*name].is_open);
        }
        let name = (*names.choose(&mut self.random)?).clone();
        Some(Ask::End { name, done: self.random.random_bool(0.75) })
    }
}
