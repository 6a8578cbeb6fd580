//! Orders that are polled until their travel is over, whatever was bought.

mod cancelled_by_supplier;
mod hooks;
mod hotel_numbers;
mod looks;
mod sweeps;

use wayfare_tests::{
    Agency, MONEY, Person, Pick, Seller, World, WorldOptions, one_way, sells_stays, stay_at,
};

struct Stage {
    world: World,
    agency: Agency,
    agent: Person,
    supplier: &'static str,
    reference: String,
    order: String,
    is_stay: bool,
}

async fn stage(seller: Seller) -> Stage {
    stage_with(seller, |options| options).await
}

/// The same in a world that is otherwise.
async fn stage_with(seller: Seller, otherwise: impl FnOnce(WorldOptions) -> WorldOptions) -> Stage {
    let (supplier, is_stay) = (seller.code, sells_stays(seller.kind));
    let options = otherwise(WorldOptions::of([seller]).frozen());
    let (world, agency, agent) = World::with(options).await.and_agent(MONEY).await;
    let reference = match is_stay {
        true => agent.buy_stay(&stay_at(supplier), Pick::Free).await.reference,
        false => agent.buy(one_way("DEL", "BOM").by("ZZ")).await.reference,
    };
    let order = world.line("select supplier_order_id from supplier_orders").await;
    Stage { world, agency, agent, supplier, reference, order, is_stay }
}

impl Stage {
    /// Time passes until the order is due, and it is polled.
    async fn next_look(&mut self) {
        let seconds = "select ceil(extract(epoch from min(next_poll_at)
            - to_timestamp(1800000000)))::bigint::text from supplier_orders";
        let due: i64 = self.world.line(seconds).await.parse().unwrap();
        let passed = self.world.now().timestamp() - 1_800_000_000;
        self.world.pass((due - passed).max(0));
        self.world.watch().await;
    }

    /// The agent, whose token may have expired since.
    async fn agent(&mut self) -> &Person {
        self.agent = self.agency.log_in("arjun").await;
        &self.agent
    }

    async fn status(&self) -> String {
        self.world.line("select status from bookings").await
    }

    /// How many polls there were because of travel.
    async fn looks(&self) -> i64 {
        self.world.line("select coalesce(sum(looks), 0)::text from supplier_looks").await.parse().unwrap()
    }

    /// Whether its next poll is due since this very moment.
    async fn is_due(&self) -> bool {
        let now = self.world.now().timestamp();
        let due = format!("select (next_poll_at = to_timestamp({now}))::text from supplier_orders");
        self.world.line(&due).await == "true"
    }

    async fn events(&self, action: &str) -> Vec<String> {
        let told = format!("select new_value ->> 'status' from events where action = '{action}' order by id");
        self.world.lines(&told).await
    }
}
