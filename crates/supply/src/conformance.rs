//! What every port promises, as a table that is run against an adapter: `wayfare_flights::conformance` and
//! `wayfare_hotels::conformance` run it for theirs, so that each adapter is tested by the same rows, whoever wrote it.

use std::{fmt, io, time::Duration};

use async_trait::async_trait;
use tokio::{net::TcpListener, task::JoinSet, time::Instant};
use wayfare_domain::{BookingRef, Money, OrderReference, OrderStatus};

use crate::{AfterSales, Answer, CancellationQuote, CancellationState, OrderToCancel};

/// A busy machine may take so much longer than the deadline.
const GRACE: Duration = Duration::from_secs(2);
const GARBAGE: &[u8] =
    b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1\r\nconnection: close\r\n\r\n{";
/// No request here is longer.
const LONGEST_REQUEST: usize = 1 << 16;

/// What an order meets at the supplier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trouble {
    /// What it is for is sold: it is refused, and not made.
    SoldOut,
    /// It is made, and the answer is lost.
    AnswerLost,
}

/// A port, as far as all are alike: `dyn FlightSupplier` and `dyn HotelSupplier`.
#[async_trait]
pub trait Port: AfterSales + 'static {
    /// A search.
    type Query: Send + Sync;
    /// What is sent to book.
    type Request: Send + Sync;

    /// Searches; what is wrong with what is found, if anything is.
    async fn searched(&self, query: &Self::Query) -> Answer<Result<(), String>>;
    /// Prices what never was offered, as an answer to this search.
    async fn priced_unknown(&self, query: &Self::Query) -> Answer<()>;
    /// Searches and prices; what is sent to book that.
    async fn request(&self, query: &Self::Query, reference: OrderReference) -> Result<Self::Request, String>;
    /// Books.
    async fn booked(&self, request: &Self::Request) -> Answer<SeenOrder>;
    /// Looks an order up, by the supplier's id or by our reference.
    async fn found(&self, id: Option<&str>, request: &Self::Request) -> Answer<Option<SeenOrder>>;
    /// That it refuses whatever it says that it can't do.
    async fn lacks(&self, query: &Self::Query, reference: OrderReference) -> Row;
}

/// An order, as far as all are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenOrder {
    /// The supplier's id of it.
    pub id: String,
    /// How it stands.
    pub status: OrderStatus,
    /// What the supplier charges for it.
    pub total: Money,
}

/// The adapter under test, and what its supplier can be made to do.
#[async_trait]
pub trait World<P: Port + ?Sized>: Sync {
    /// The adapter, of a supplier that works.
    fn supplier(&self) -> &P;
    /// A search that finds something to be booked at once.
    fn query(&self) -> P::Query;
    /// The same adapter where whoever stands at this URL is taken for the supplier. Its deadlines are a few seconds. None of one that
    /// calls nobody: rows about its calls are left out.
    fn at(&self, _base_url: &str) -> Option<Box<P>> {
        None
    }
    /// Our reference of an order. A supplier that remembers must meet others in each run.
    fn reference(&self, number: u16) -> OrderReference {
        BookingRef::from("HTL-C0NF0RM7".to_owned()).order(number)
    }
    /// Adds what the supplier wants of an order beside names, such as papers.
    fn complete(&self, _request: &mut P::Request) {}
    /// Has the next order meet this. False where it can't be had: the row is left out.
    async fn next_order(&self, _trouble: Trouble) -> bool {
        false
    }
}

/// How a row ended: whether it was tried at all, or why it failed.
pub type Row = Result<bool, String>;

/// The rows in their order. Its `Display` is a line for each.
#[derive(Clone, Debug)]
#[must_use]
pub struct Report(Vec<(&'static str, Row)>);

impl Report {
    /// Whether no row failed.
    pub fn conforms(&self) -> bool {
        self.0.iter().all(|(_, row)| row.is_ok())
    }

    /// The rows that could not be tried.
    pub fn left_out(&self) -> Vec<&'static str> {
        self.0.iter().filter(|(_, row)| *row == Ok(false)).map(|(name, _)| *name).collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(name, row)| match row {
            Ok(true) => writeln!(f, "holds     {name}"),
            Ok(false) => writeln!(f, "left out  {name}"),
            Err(reason) => writeln!(f, "FAILS     {name}: {reason}"),
        })
    }
}

/// Runs the whole table.
pub async fn run<P: Port + ?Sized>(world: &dyn World<P>) -> Report {
    let (port, query) = (world.supplier(), world.query());
    let searched = async { done(port.searched(&query).await)?.map(|()| true) };
    let unknown = port.priced_unknown(&query).await;
    Report(vec![
        ("what a search finds adds up, each under a token of its own", searched.await),
        ("a token that nobody gave out is refused", is(matches!(unknown, Answer::Refused(_)), &unknown)),
        ("no order is found of a reference that never was", never_was(world).await),
        ("an order is the same by its id and by our reference, whenever it is looked up", found(world).await),
        ("an order that was given back is cancelled", given_back(world).await),
        ("an order whose answer is lost is unknown and then found", answer_lost(world).await),
        ("silence is unknown by the deadline", Stranger::Silent.met(world, 6, is_unknown).await),
        ("what nobody can read is unknown", Stranger::Babbling.met(world, 7, is_unknown).await),
        ("where nobody listens nothing is sent", Stranger::Nobody.met(world, 8, is_unsent).await),
        ("what it can't do it refuses", port.lacks(&query, world.reference(9)).await),
        // The last one that orders: what is sold out may stay so.
        ("what is sold out is refused and not made", sold_out(world).await),
    ])
}

/// That this holds, else what is seen instead.
pub fn is(holds: bool, seen: &impl fmt::Debug) -> Row {
    if holds { Ok(true) } else { Err(format!("{seen:?}")) }
}

/// What was done.
///
/// # Errors
/// Any other end.
pub fn done<T: fmt::Debug>(answer: Answer<T>) -> Result<T, String> {
    match answer {
        Answer::Done(content) => Ok(content),
        other => Err(format!("{other:?}")),
    }
}

async fn request<P: Port + ?Sized>(world: &dyn World<P>, number: u16) -> Result<P::Request, String> {
    let mut request = world.supplier().request(&world.query(), world.reference(number)).await?;
    world.complete(&mut request);
    Ok(request)
}

async fn quote<P: Port + ?Sized>(port: &P, order: &SeenOrder) -> Result<CancellationQuote, String> {
    let asked = OrderToCancel {
        id: &order.id,
        status: order.status,
        charged: Some(order.total),
        part: None,
        kept_by_terms: None,
        first_day: None,
    };
    done(port.quote_cancellation(asked).await)
}

async fn never_was<P: Port + ?Sized>(world: &dyn World<P>) -> Row {
    let (port, request) = (world.supplier(), request(world, 1).await?);
    let both = [port.found(None, &request).await, port.found(None, &request).await];
    is(both == [Answer::Done(None), Answer::Done(None)], &both)
}

async fn found<P: Port + ?Sized>(world: &dyn World<P>) -> Row {
    let (port, request) = (world.supplier(), request(world, 2).await?);
    let order = done(port.booked(&request).await)?;
    for id in [Some(order.id.as_str()), None, Some(order.id.as_str()), None] {
        let found = port.found(id, &request).await;
        is(found == Answer::Done(Some(order.clone())), &(id, &order, &found))?;
    }
    is(order.status == OrderStatus::Confirmed, &order)
}

async fn given_back<P: Port + ?Sized>(world: &dyn World<P>) -> Row {
    let (port, request) = (world.supplier(), request(world, 3).await?);
    let order = done(port.booked(&request).await)?;
    let quote = quote(port, &order).await?;
    let said = done(port.cancel(&order.id, &quote.id, None, None).await)?;
    if said.state == CancellationState::Pending {
        // It takes its time, and tells how that stands.
        return done(port.find_cancellation(&order.id, &said.id, None).await).map(|_| false);
    }
    is(said.state == CancellationState::Confirmed, &said)?;
    for id in [Some(order.id.as_str()), None] {
        let found = done(port.found(id, &request).await)?;
        is(found.as_ref().is_some_and(|found| found.status == OrderStatus::Cancelled), &(id, found))?;
    }
    Ok(true)
}

async fn sold_out<P: Port + ?Sized>(world: &dyn World<P>) -> Row {
    let (port, request) = (world.supplier(), request(world, 4).await?);
    if !world.next_order(Trouble::SoldOut).await {
        return Ok(false);
    }
    let ends = (port.booked(&request).await, port.found(None, &request).await);
    is(matches!(ends, (Answer::Refused(_), Answer::Done(None))), &ends)
}

async fn answer_lost<P: Port + ?Sized>(world: &dyn World<P>) -> Row {
    let (port, request) = (world.supplier(), request(world, 5).await?);
    if !world.next_order(Trouble::AnswerLost).await {
        return Ok(false);
    }
    let ends = (port.booked(&request).await, port.found(None, &request).await);
    is(matches!(ends, (Answer::Unknown(_), Answer::Done(Some(_)))), &ends)
}

/// Who stands at an address in the supplier's place.
enum Stranger {
    /// The machine takes connections that nobody reads.
    Silent,
    /// Whoever calls is answered with JSON that breaks off.
    Babbling,
    /// Nobody listens.
    Nobody,
}

impl Stranger {
    /// How an order, a cancellation, a search and a look-up end there: by their deadlines, the effects so, and no read with an answer or
    /// a refusal.
    async fn met<P: Port + ?Sized>(
        self,
        world: &dyn World<P>,
        number: u16,
        is_right: fn(&Answer<()>) -> bool,
    ) -> Row {
        let listener = TcpListener::bind("127.0.0.1:0").await.map_err(|error| error.to_string())?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let Some(adapter) = world.at(&format!("http://{address}")) else { return Ok(false) };
        let mut server = JoinSet::new();
        let mut silent = Some(listener);
        match self {
            Self::Silent => {}
            Self::Babbling => drop(silent.take().map(|listener| server.spawn(babble(listener)))),
            Self::Nobody => drop(silent.take()),
        }
        let (port, query, request) = (world.supplier(), world.query(), request(world, number).await?);
        let order = done(port.booked(&request).await)?;
        let quote = quote(port, &order).await?;
        let begun = Instant::now();
        let (booked, cancelled, searched, found) = tokio::join!(
            adapter.booked(&request),
            adapter.cancel(&order.id, &quote.id, None, None),
            adapter.searched(&query),
            adapter.found(Some(&order.id), &request),
        );
        let deadline = adapter.config().read_deadline.max(adapter.config().effect_deadline);
        let is_in_time = begun.elapsed() <= deadline + GRACE;
        let (effects, reads) =
            ([booked.map(drop), cancelled.map(drop)], [searched.map(drop), found.map(drop)]);
        let is_failed = |read: &Answer<()>| matches!(read, Answer::Unknown(_) | Answer::Unavailable(_));
        let is_so = effects.iter().all(is_right) && reads.iter().all(is_failed);
        is(is_in_time && is_so, &(effects, reads, begun.elapsed()))
    }
}

async fn babble(listener: TcpListener) -> io::Result<()> {
    // A connection that is closed before all of it was read may break before its answer is.
    let mut open = Vec::new();
    loop {
        let (connection, _) = listener.accept().await?;
        connection.readable().await?;
        let _ = connection.try_read(&mut vec![0; LONGEST_REQUEST]);
        let _ = connection.try_write(GARBAGE);
        open.push(connection);
    }
}

fn is_unknown(effect: &Answer<()>) -> bool {
    matches!(effect, Answer::Unknown(_))
}

fn is_unsent(effect: &Answer<()>) -> bool {
    matches!(effect, Answer::Unavailable(_))
}
