//! Pricing packages: an organization's markups on flights and hotels, and who has them (docs/API.md, Packages).

use uuid::Uuid;
use wayfare_boxed::boxed;
use wayfare_contract::{
    AssignPackage, FlightPackage, FlightPackageDraft, FlightPackageRow, HotelPackage, HotelPackageAssignment,
    HotelPackageDraft, HotelPackageRow, PackageAssignment, Previewed, PriceExample, PricePreview,
};

use crate::{Keyed, call::Ask, error::Result, session::part_of_session};

part_of_session! {
    /// Flight packages, for admins.
    FlightPackages, flight_packages
}

part_of_session! {
    /// Hotel packages, for admins.
    HotelPackages, hotel_packages
}

#[boxed]
impl FlightPackages<'_> {
    /// `GET /org/packages`, newest first.
    pub async fn list(&self) -> Result<Vec<FlightPackageRow>> {
        self.0.data(Ask::get(&["org", "packages"])).await
    }

    /// `POST /org/packages`.
    pub async fn create(&self, draft: &FlightPackageDraft) -> Result<Keyed<FlightPackage>> {
        let ask = self.0.effect(&["org", "packages"]);
        self.0.keyed_data(ask.body(draft)?).await
    }

    /// `PUT /org/packages/{id}`: all of it.
    pub async fn replace(&self, id: Uuid, draft: &FlightPackageDraft) -> Result<FlightPackage> {
        let ask = Ask::set(&["org", "packages", &id.to_string()]);
        self.0.data(ask.body(draft)?).await
    }

    /// `DELETE /org/packages/{id}`: ends its assignments. It is only sent again when it surely did nothing.
    pub async fn delete(&self, id: Uuid) -> Result<()> {
        self.0.done(Ask::delete(&["org", "packages", &id.to_string()])).await
    }

    /// `POST /org/packages/preview`: the price of an example with a draft. Nothing is stored.
    pub async fn preview(&self, draft: &FlightPackageDraft, example: &PriceExample) -> Result<PricePreview> {
        let ask = Ask::reading(&["org", "packages", "preview"]);
        self.0.data(ask.body(&Previewed { draft, example: example.clone() })?).await
    }

    /// `GET /org/packages/assigned`: the organization's; none while it has none.
    pub async fn assigned(&self) -> Result<Option<FlightPackage>> {
        match self.0.data(Ask::get(&["org", "packages", "assigned"])).await {
            Err(error) if error.is_not_found() => Ok(None),
            other => other.map(Some),
        }
    }

    /// `POST /org/packages/assign`: it becomes the organization's, instead of the one before.
    pub async fn assign(&self, id: Uuid) -> Result<Keyed<()>> {
        let ask = self.0.effect(&["org", "packages", "assign"]);
        self.0.keyed_done(ask.body(&AssignPackage { package_id: id })?).await
    }

    /// `DELETE /org/packages/assign`. It is only sent again when it surely did nothing.
    pub async fn unassign(&self) -> Result<()> {
        self.0.done(Ask::delete(&["org", "packages", "assign"])).await
    }

    /// `GET /org/packages/agent-assignments`, newest first.
    pub async fn agent_assignments(&self) -> Result<Vec<PackageAssignment>> {
        self.0.data(Ask::get(&["org", "packages", "agent-assignments"])).await
    }

    /// `POST /org/packages/assign-agent/{id}`: it becomes the agent's, before the organization's.
    pub async fn assign_agent(&self, agent: Uuid, id: Uuid) -> Result<Keyed<()>> {
        let ask = self.0.effect(&["org", "packages", "assign-agent", &agent.to_string()]);
        self.0.keyed_done(ask.body(&AssignPackage { package_id: id })?).await
    }

    /// `DELETE /org/packages/assign-agent/{id}`. It is only sent again when it surely did nothing.
    pub async fn unassign_agent(&self, agent: Uuid) -> Result<()> {
        let path = ["org", "packages", "assign-agent", &agent.to_string()];
        self.0.done(Ask::delete(&path)).await
    }
}

#[boxed]
impl HotelPackages<'_> {
    /// `GET /org/hotel-packages`, newest first.
    pub async fn list(&self) -> Result<Vec<HotelPackageRow>> {
        self.0.data(Ask::get(&["org", "hotel-packages"])).await
    }

    /// `POST /org/hotel-packages`.
    pub async fn create(&self, draft: &HotelPackageDraft) -> Result<Keyed<HotelPackage>> {
        let ask = self.0.effect(&["org", "hotel-packages"]);
        self.0.keyed_data(ask.body(draft)?).await
    }

    /// `PUT /org/hotel-packages/{id}`: all of it; the bands get new ids.
    pub async fn replace(&self, id: Uuid, draft: &HotelPackageDraft) -> Result<HotelPackage> {
        let ask = Ask::set(&["org", "hotel-packages", &id.to_string()]);
        self.0.data(ask.body(draft)?).await
    }

    /// `DELETE /org/hotel-packages/{id}`: ends its assignments. It is only sent again when it surely did nothing.
    pub async fn delete(&self, id: Uuid) -> Result<()> {
        let path = ["org", "hotel-packages", &id.to_string()];
        self.0.done(Ask::delete(&path)).await
    }

    /// `POST /org/hotel-packages/preview`: the price of an example with a draft. Nothing is stored.
    pub async fn preview(&self, draft: &HotelPackageDraft, example: &PriceExample) -> Result<PricePreview> {
        let ask = Ask::reading(&["org", "hotel-packages", "preview"]);
        self.0.data(ask.body(&Previewed { draft, example: example.clone() })?).await
    }

    /// `GET /org/hotel-packages/assigned`: the organization's; none while it has none.
    pub async fn assigned(&self) -> Result<Option<HotelPackage>> {
        match self.0.data(Ask::get(&["org", "hotel-packages", "assigned"])).await {
            Err(error) if error.is_not_found() => Ok(None),
            other => other.map(Some),
        }
    }

    /// `GET /org/hotel-packages/agent-assignments`, newest first.
    pub async fn agent_assignments(&self) -> Result<Vec<HotelPackageAssignment>> {
        let path = ["org", "hotel-packages", "agent-assignments"];
        self.0.data(Ask::get(&path)).await
    }

    /// `POST /org/hotel-packages/assign`: it becomes the organization's, instead of the one before.
    pub async fn assign(&self, id: Uuid) -> Result<Keyed<()>> {
        let ask = self.0.effect(&["org", "hotel-packages", "assign"]);
        self.0.keyed_done(ask.body(&AssignPackage { package_id: id })?).await
    }

    /// `DELETE /org/hotel-packages/assign`. It is only sent again when it surely did nothing.
    pub async fn unassign(&self) -> Result<()> {
        self.0.done(Ask::delete(&["org", "hotel-packages", "assign"])).await
    }

    /// `POST /org/hotel-packages/assign-agent/{id}`: it becomes the agent's, before the organization's.
    pub async fn assign_agent(&self, agent: Uuid, id: Uuid) -> Result<Keyed<()>> {
        let path = ["org", "hotel-packages", "assign-agent", &agent.to_string()];
        let ask = self.0.effect(&path);
        self.0.keyed_done(ask.body(&AssignPackage { package_id: id })?).await
    }

    /// `DELETE /org/hotel-packages/assign-agent/{id}`. It is only sent again when it surely did nothing.
    pub async fn unassign_agent(&self, agent: Uuid) -> Result<()> {
        let path = ["org", "hotel-packages", "assign-agent", &agent.to_string()];
        self.0.done(Ask::delete(&path)).await
    }
}
