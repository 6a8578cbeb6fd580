//! The service's own way: a wallet transfer through the group commit, as purchases go.

use std::{sync::Arc, time::Duration};

use rust_decimal::Decimal;
use secrecy::SecretSlice;
use wayfare_domain::{Clock, Currency, KeptDays, Money, OrganizationId, TransferId, UserId};
use wayfare_ledger::{Account, Reason};
use wayfare_operations::{
    Database, Durations, Owner, Platform, PlatformParts, SearchMemoryBounds, Secrets, SigningKeys,
    WebhookNetworks, WebhookSender,
    money::wallet_transfer::{AccountRef, SpendLimit, WalletTransfer},
    operator,
    people::PeopleKeys,
};
use wayfare_pricing::RateTable;

use super::{
    CONNECTIONS, Debit,
    books::{Books, OURS, Place},
};
use crate::Result;

/// A platform without suppliers, in this process.
pub struct Ours {
    platform: Arc<Platform>,
    places: Vec<Place>,
}

impl Ours {
    pub async fn new(books: &Books) -> Result<Self> {
        let (url, places) = books.database(OURS).await?;
        let secret = || SecretSlice::from(vec![7; 32]);
        let platform = Platform::new(PlatformParts {
            database: Database::connect(&url, CONNECTIONS)?,
            clock: Clock::system(),
            secrets: Secrets::new(SigningKeys::only(secret())?, &secret(), PeopleKeys::only(secret())?)?,
            rates: Arc::new(RateTable::default()),
            flights: Vec::new(),
            hotels: Vec::new(),
            search_memory: SearchMemoryBounds::of(0),
            redis: None,
            webhooks: WebhookSender::new(WebhookNetworks::default()),
            report_files: wayfare_operations::reports::ReportFiles::in_memory(),
            kept_days: KeptDays::default(),
            erasure_log: None,
            password_cost: wayfare_operations::access::PasswordCost::default(),
            commit: "unknown",
            durations: Durations {
                search_cache_ttl: Duration::ZERO,
                offer_validity: Duration::from_secs(1200),
                quote_validity: Duration::from_secs(900),
                patience: Duration::from_secs(60),
                incident_after: Duration::from_secs(3600),
            },
        });
        Ok(Self { platform, places })
    }

    /// Re-adds every balance and checks every hash.
    pub async fn prove(&self) -> Result<()> {
        let report = operator::verify_ledger(&self.platform, |_| {}).await?;
        println!(
            "ledger verify: {} wallets, {} entries, {} problems",
            report.wallets,
            report.entries,
            report.problems.len()
        );
        match report.problems.first() {
            None => Ok(()),
            Some(problem) => Err(problem.clone().into()),
        }
    }
}

impl Debit for Ours {
    async fn debit(&self, wallet: usize) -> Result<()> {
        let place = self.places.get(wallet).ok_or("no such wallet")?;
        let organization = OrganizationId::from_uuid(place.organization);
        let owner = Owner::User(organization, UserId::from_uuid(place.owner));
        let movement = WalletTransfer {
            organization,
            from: AccountRef::WalletOf(owner),
            to: AccountRef::Platform(Account::Supplier("duffel".to_owned())),
            amount: Money::exact(Decimal::ONE, Currency::INR)?,
            spends: SpendLimit::Credit,
            key: format!("bench:{}", TransferId::new(&Clock::system())),
            reason: Reason::Booking,
            description: "booking FA-7K2M9Q4X".to_owned(),
            performed_by: None,
            audited: None,
            asked_under: None,
        };
        self.platform.engine.transfer(movement).await?;
        Ok(())
    }
}
