//! One sale, of flights and of stays alike: the price now, who it is for, everything once more, and the booking. What is sold,
//! its form and its order are each product's own.

use std::sync::Arc;

use askama::filters::HtmlSafe;
use rust_decimal::Decimal;
use wayfare_client::{Error, Session, Wallet, flights::PriceChange};

use crate::{
    Console,
    failure::{self, words_of},
    memory::{Kept, Memory},
    page::Part,
    prelude::*,
};

/// An answer is asked for again after so many seconds...
const AGAIN: u32 = 3;
const MOST_OFTEN: u32 = 40;
/// What does not go on to the next page: the password, how often was asked, and what is ticked on this page alone.
const OF_THIS_PAGE: [&str; 3] = ["issue_ticket_password", "asked", "allow_duplicate"];

/// What is said of a product, and where it is found.
pub struct Words {
    pub area: Area,
    /// Where its pages are.
    pub place: &'static str,
    /// The title of the form, and what it asks.
    pub form: &'static str,
    pub who: &'static str,
    /// What one comes back to from it: `results`.
    pub back: &'static str,
    /// The title of the page that says that there is no such price.
    pub gone: &'static str,
    /// What its bookings are called, and where they are listed.
    pub bookings: &'static str,
    pub list: &'static str,
}

impl Words {
    fn is_of_stays(&self) -> bool {
        self.area == Area::Hotels
    }
}

/// What is sold: what a quote is of, as the address of its page says it.
pub trait Product: Sized {
    /// A promised price.
    type Quote: Kept;
    /// What was agreed on before the form is sent. The form of the check carries it, so that whichever server takes the form
    /// sends the same order, also when its price is not kept any more (D-560).
    type Agreed;
    type Order;

    const WORDS: Words;
    /// The fields that carry what was agreed on.
    const AGREED: &'static [&'static str];
    /// After these statuses of a booking the price counts no more.
    const ENDS_PRICE: &'static [u16];

    /// Of an address or a form.
    ///
    /// # Errors
    /// When it is of nothing that is sold.
    fn read(fields: &Fields) -> Result<Self>;

    /// The fields that say what it is of.
    fn pairs(&self) -> Vec<(String, String)>;

    /// The same in an address.
    fn query(&self) -> String {
        serde_urlencoded::to_string(self.pairs()).unwrap_or_default()
    }

    /// Where it was chosen.
    fn back(&self) -> String;

    /// Where it is searched again.
    fn search_again(&self) -> String;

    fn memory(console: &Console) -> &Memory;

    /// The price now; none where it can't be had any more.
    async fn price(&self, signed: &Signed) -> Result<Option<Self::Quote>>;

    /// Whether it differs from what was shown before.
    fn has_moved(quote: &Self::Quote) -> bool;

    fn agreed_by(quote: &Self::Quote) -> Self::Agreed;

    /// As a form of the check carries it.
    fn agreed(&self, fields: &Fields) -> Option<Self::Agreed>;

    /// The fields of a form that carry it.
    fn fields_of(agreed: &Self::Agreed) -> Vec<(String, String)>;

    /// The order, or what is missing on the form. What only the price demands is looked for where there is one; the service
    /// refuses what is missing in any case.
    fn order(
        &self,
        agreed: &Self::Agreed,
        quote: Option<&Self::Quote>,
        fields: &Fields,
    ) -> Result<Self::Order, Wrongs>;

    /// Books it; where its booking is found.
    async fn book(session: &Session, order: &Self::Order) -> Result<String, Error>;

    /// The price as it stands beside the form and the check.
    fn card(&self, quote: &Self::Quote, buyer: &Buyer, fields: &Fields) -> Result<Card>;

    /// The fields for who it is for.
    fn form(&self, quote: &Self::Quote, fields: &Fields, wrongs: &Wrongs) -> Result<Part>;

    /// What was answered: for each of whom it is for, and how they are reached.
    fn answers(quote: &Self::Quote, fields: &Fields) -> (Vec<Answers>, Vec<(&'static str, String)>);

    /// What the button of the check does.
    fn verb(_fields: &Fields) -> &'static str {
        "Book"
    }

    /// What a refusal of this product says in words of its own.
    fn reword(_error: &Error, _words: &mut failure::Words) {}
}

/// Who pays, and out of what.
pub struct Buyer {
    pub wallet: Wallet,
    pub is_admin: bool,
}

/// Who it is for, on the page of the check.
pub struct Answers {
    pub title: String,
    /// Names of fields and what stands in them.
    pub lines: Vec<(String, String)>,
}

/// A price beside the form and the check.
pub struct Card {
    pub part: Part,
    pub payable: String,
    pub until: Moment,
    /// What it moved from and to since it was shown, and the difference.
    pub moved: Option<Sums>,
}

/// What the wallet has before and after it pays.
#[derive(Template)]
#[template(path = "sale/balance.html")]
pub struct Balance {
    before: String,
    /// None where it does not reach.
    after: Option<String>,
    is_admin: bool,
}

impl HtmlSafe for Balance {}

impl Balance {
    pub fn of(buyer: &Buyer, total: Decimal, currency: &str) -> Self {
        let spendable = buyer.wallet.spendable.0;
        let text = |amount: Decimal| money(amount.into(), currency);
        let after = (spendable >= total).then(|| text(spendable - total));
        Self { before: text(spendable), after, is_admin: buyer.is_admin }
    }
}

/// What the agent saw, and what it is now: what the wallet pays, with what was chosen besides.
pub fn moved(change: &PriceChange, currency: &str, extras: Decimal) -> Sums {
    let fares = change.old_agent_fare.map(|old| (old, change.new_agent_fare));
    let (old, new) = fares.unwrap_or((change.old_total, change.new_total));
    let difference = new.0 - old.0;
    let name = match difference.is_sign_negative() {
        true => "Cheaper by",
        false => "Dearer by",
    };
    Sums::of(currency).line("Was", old.0 + extras).line(name, difference).total("Now", new.0 + extras)
}

/// `GET …/quote`: the price now, and the form for who it is for.
pub async fn show<P: Product>(signed: Signed, fields: Fields) -> Answer {
    let sale = P::read(&fields)?;
    let Some((quote, is_new)) = price(&signed, &sale).await? else {
        return gone(&signed, &P::WORDS, sale.search_again()).await;
    };
    let asks_whether = is_new && P::has_moved(&quote);
    form(&signed, &sale, &quote, Fields::default(), Wrongs::default(), asks_whether).await
}

/// `POST …/quote`: back to the form, with what was typed.
pub async fn edit<P: Product>(signed: Signed, fields: Fields) -> Answer {
    let sale = P::read(&fields)?;
    let Some((quote, _)) = price(&signed, &sale).await? else {
        return gone(&signed, &P::WORDS, sale.search_again()).await;
    };
    form(&signed, &sale, &quote, fields, Wrongs::default(), false).await
}

/// `POST …/check`: everything once more, and the button that books.
pub async fn check<P: Product>(signed: Signed, fields: Fields) -> Answer {
    let sale = P::read(&fields)?;
    check_again(&signed, &sale, fields).await
}

async fn check_again<P: Product>(signed: &Signed, sale: &P, fields: Fields) -> Answer {
    let Some((quote, is_new)) = price(signed, sale).await? else {
        return gone(signed, &P::WORDS, sale.search_again()).await;
    };
    if let Err(wrongs) = sale.order(&P::agreed_by(&quote), Some(&quote), &fields) {
        return form(signed, sale, &quote, fields, wrongs, false).await;
    }
    if is_new && P::has_moved(&quote) {
        return form(signed, sale, &quote, fields, Wrongs::default(), true).await;
    }
    checked(signed, sale, &quote, fields, None).await
}

/// `POST …/book`: under the form's key, so that the form books once however often it comes.
pub async fn book<P: Product>(signed: Signed, fields: Fields) -> Answer {
    let sale = P::read(&fields)?;
    let key = fields.key()?;
    let kept: Option<Arc<P::Quote>> = P::memory(&signed.console).quote(&kept_under(&signed, &sale)).await;
    // The form carries what was agreed on: a server that does not keep the price sends the same order under the same key.
    let Some(agreed) = sale.agreed(&fields).or_else(|| kept.as_deref().map(P::agreed_by)) else {
        // Without the price that was shown nothing is bought: it is shown again.
        return check_again(&signed, &sale, fields).await;
    };
    let order = match (sale.order(&agreed, kept.as_deref(), &fields), &kept) {
        (Ok(order), _) => order,
        (Err(wrongs), Some(quote)) => return form(&signed, &sale, quote, fields, wrongs, false).await,
        (Err(_), None) => return check_again(&signed, &sale, fields).await,
    };
    match P::book(&signed.session.keyed(key), &order).await {
        Ok(booking) => {
            // A price is booked once: another form gets another one.
            forget(&signed, &sale).await;
            Ok(see_other(&format!("{booking}?new=1")))
        }
        Err(Error::Unknown { .. }) => unknown(&signed, &P::WORDS, fields).await,
        Err(error) => refused(&signed, &sale, fields, error).await,
    }
}

fn kept_under<P: Product>(signed: &Signed, sale: &P) -> String {
    signed.own(&sale.query())
}

async fn forget<P: Product>(signed: &Signed, sale: &P) {
    P::memory(&signed.console).forget_quote(&kept_under(signed, sale)).await;
}

/// The price, as it is kept, or asked for anew, and whether it is a new one; none where it can't be had any more.
async fn price<P: Product>(signed: &Signed, sale: &P) -> Result<Option<(Arc<P::Quote>, bool)>> {
    let memory = P::memory(&signed.console);
    if let Some(kept) = memory.quote(&kept_under(signed, sale)).await {
        return Ok(Some((kept, false)));
    }
    let Some(quote) = sale.price(signed).await? else { return Ok(None) };
    let quote = Arc::new(quote);
    memory.keep_quote(kept_under(signed, sale), quote.clone()).await;
    Ok(Some((quote, true)))
}

#[derive(Template)]
#[template(path = "sale/quote.html")]
struct QuotePage {
    shell: Shell,
    words: &'static Words,
    back: String,
    card: Card,
    /// What the quote is of.
    asked: Vec<(String, String)>,
    key: String,
    form: Part,
    wrongs: Wrongs,
    /// Whether the new price has to be agreed to first.
    asks_whether: bool,
}

#[derive(Template)]
#[template(path = "sale/check.html")]
struct CheckPage {
    shell: Shell,
    words: &'static Words,
    people: Vec<Answers>,
    booking: Vec<(&'static str, String)>,
    /// What the button sends.
    sent: Vec<(String, String)>,
    verb: &'static str,
    card: Card,
    refused: Option<Refused>,
}

async fn shell_and_buyer(signed: &Signed, title: &str, area: Area) -> Result<(Shell, Buyer)> {
    let wallet = signed.session.wallet();
    let (shell, wallet) = futures_util::try_join!(signed.shell(title, area), wallet.read())?;
    let is_admin = shell.is_admin();
    Ok((shell, Buyer { wallet, is_admin }))
}

async fn form<P: Product>(
    signed: &Signed,
    sale: &P,
    quote: &P::Quote,
    fields: Fields,
    wrongs: Wrongs,
    asks_whether: bool,
) -> Answer {
    let (shell, buyer) = shell_and_buyer(signed, P::WORDS.form, P::WORDS.area).await?;
    let shown = QuotePage {
        shell,
        words: &P::WORDS,
        back: sale.back(),
        card: sale.card(quote, &buyer, &fields)?,
        asked: sale.pairs(),
        // One key for all that becomes of this form, so that it is booked once.
        key: fields.key_or_new(),
        form: sale.form(quote, &fields, &wrongs)?,
        wrongs,
        asks_whether,
    };
    page::html_with(shown.wrongs.status(), &shown)
}

async fn checked<P: Product>(
    signed: &Signed,
    sale: &P,
    quote: &P::Quote,
    fields: Fields,
    refused: Option<(StatusCode, Refused)>,
) -> Answer {
    let (shell, buyer) = shell_and_buyer(signed, "Check your answers", P::WORDS.area).await?;
    let (status, refused) = refused.map_or((StatusCode::OK, None), |(status, why)| (status, Some(why)));
    let (people, booking) = P::answers(quote, &fields);
    let (card, verb) = (sale.card(quote, &buyer, &fields)?, P::verb(&fields));
    // The same with what is agreed on now.
    let mut sent = kept_fields(fields);
    sent.retain(|(name, _)| !P::AGREED.contains(&name.as_str()));
    sent.extend(P::fields_of(&P::agreed_by(quote)));
    let shown = CheckPage { shell, words: &P::WORDS, people, booking, sent, verb, card, refused };
    page::html_with(status, &shown)
}

/// What goes on to the next page.
fn kept_fields(fields: Fields) -> Vec<(String, String)> {
    let mut fields = fields.0;
    fields.retain(|(name, _)| !OF_THIS_PAGE.contains(&name.as_str()));
    fields
}

async fn refused<P: Product>(signed: &Signed, sale: &P, fields: Fields, error: Error) -> Answer {
    if matches!(error, Error::SessionEnded) {
        return Err(error.into());
    }
    let quote = match price(signed, sale).await {
        Ok(Some((quote, _))) => quote,
        Ok(None) => return gone(signed, &P::WORDS, sale.search_again()).await,
        // Nothing is left to show the form with.
        Err(_) => return Err(error.into()),
    };
    let wrongs = Wrongs::of(&error);
    if !wrongs.is_empty() {
        return form(signed, sale, &quote, fields, wrongs, false).await;
    }
    let address = format!("{}/quote?{}", P::WORDS.place, sale.query());
    let (status, mut refused) = Refused::of(&error, P::ENDS_PRICE, address);
    P::reword(&error, &mut refused.words);
    if refused.wants_price {
        forget(signed, sale).await;
    }
    checked(signed, sale, &quote, fields, Some((status, refused))).await
}

/// Why it was not booked.
pub struct Refused {
    pub words: failure::Words,
    /// The booking that was there before.
    pub booking: Option<String>,
    /// Whether it may be booked all the same.
    pub is_duplicate: bool,
    /// Whether the price counts no more.
    pub wants_price: bool,
    pub address: String,
}

impl Refused {
    /// Of what the API said; after one of these statuses the price counts no more.
    fn of(error: &Error, ends_price: &[u16], address: String) -> (StatusCode, Self) {
        let status = error
            .status()
            .and_then(|status| StatusCode::from_u16(status).ok())
            .unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
        let booking = error.booking_ref().map(str::to_owned);
        let words = words_of(error);
        let refused = Self {
            is_duplicate: booking.is_some() && words.text.to_lowercase().contains("duplicate"),
            wants_price: booking.is_none() && ends_price.contains(&status.as_u16()),
            booking,
            words,
            address,
        };
        (status, refused)
    }
}

#[derive(Template)]
#[template(path = "sale/gone.html")]
struct GonePage {
    shell: Shell,
    search: String,
}

/// 410: what is not to be had any more, and where it is searched again.
pub async fn gone(signed: &Signed, words: &Words, search: String) -> Answer {
    let shell = signed.shell(words.gone, words.area).await?;
    page::html_with(StatusCode::GONE, &GonePage { shell, search })
}

#[derive(Template)]
#[template(path = "sale/unknown.html")]
struct UnknownPage {
    shell: Shell,
    words: &'static Words,
    sent: Vec<(String, String)>,
    /// How often was asked.
    asked: u32,
    /// The page asks by itself after so many seconds.
    after: u32,
    is_asking: bool,
}

/// Nobody knows yet: the same is asked under the same key until somebody does.
async fn unknown(signed: &Signed, words: &'static Words, fields: Fields) -> Answer {
    let title = "We do not know yet";
    let asked = fields.number::<u32>("asked").unwrap_or(0).saturating_add(1);
    // Who it is may be unknown as well now.
    let shell = signed.shell(title, words.area).await;
    let shown = UnknownPage {
        shell: shell.unwrap_or_else(|_| signed.bare_shell(title, words.area)),
        words,
        sent: kept_fields(fields),
        asked,
        after: AGAIN,
        is_asking: asked <= MOST_OFTEN,
    };
    page::html_with(StatusCode::ACCEPTED, &shown)
}
