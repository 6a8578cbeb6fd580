//! What all suppliers share, and what each has in memory beside it.

use std::ops::Deref;
use std::sync::Arc;

use wayfare_domain::Clock;

use crate::content_calls::ContentCalls;
use crate::faults::{Call, Faults};
use crate::inventory::Inventory;
use crate::oddities::Oddities;
use crate::orders::Orders;
use crate::tariff::Tariff;
use crate::webhooks::{Message, Webhooks};

pub(crate) struct World {
    pub(crate) seed: u64,
    pub(crate) tariff: Tariff,
    pub(crate) clock: Clock,
    pub(crate) inventory: Inventory,
    pub(crate) orders: Orders,
    pub(crate) faults: Faults,
    pub(crate) oddities: Oddities,
    pub(crate) webhooks: Arc<Webhooks>,
    pub(crate) content_calls: ContentCalls,
}

impl World {
    /// A supplier tells its buyer of news.
    pub(crate) fn tell(&self, message: &Message) {
        let call = Some(Call::Webhook);
        let odd = self.oddities.strike(message.supplier, call).then(|| {
            let body = self.oddities.odd(message.supplier, call, message.body.as_bytes());
            let body = String::from_utf8_lossy(&body).into_owned();
            Message { body, ..message.clone() }
        });
        let message = odd.as_ref().unwrap_or(message);
        self.webhooks.tell(message, &self.faults, &self.clock);
    }
}

/// The world as one supplier's handlers see it: with a state that is theirs alone.
pub(crate) struct Hosted<S> {
    world: Arc<World>,
    pub(crate) state: S,
}

impl<S: Default> Hosted<S> {
    pub(crate) fn new(world: Arc<World>) -> Self {
        let state = S::default();
        Self { world, state }
    }
}

impl<S> Deref for Hosted<S> {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}
