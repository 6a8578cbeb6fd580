//! The tables as `migrations/` makes them.

use diesel::{allow_tables_to_appear_in_same_query, joinable, table};

table! {
    organizations (id) {
        id -> Uuid,
        agent_id -> Text,
        name -> Text,
        slug -> Text,
        email -> Text,
        phone -> Text,
        address -> Text,
        country -> Text,
        subscription_type -> Text,
        status -> Text,
        ip_whitelist_enabled -> Bool,
        currency -> Text,
        timezone -> Text,
        user_counter -> Integer,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        whitelist -> Array<Text>,
        suppliers -> Nullable<Array<Text>>,
    }
}

table! {
    settings (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        key -> Text,
        value -> Text,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
    }
}

table! {
    users (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        username -> Text,
        email -> Text,
        name -> Text,
        phone -> Text,
        role -> Text,
        status -> Text,
        sub_agent_id -> Text,
        password_hash -> Text,
        given_password_hash -> Nullable<Text>,
        session_epoch -> Integer,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        last_login_at -> Nullable<Timestamptz>,
        deleted_at -> Nullable<Timestamptz>,
    }
}

table! {
    sessions (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        user_id -> Uuid,
        session_epoch -> Integer,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        ended_at -> Nullable<Timestamptz>,
        token_hash -> Nullable<Bytea>,
        idle_until -> Nullable<Timestamptz>,
        user_agent -> Nullable<Text>,
        address -> Nullable<Text>,
    }
}

table! {
    refresh_tokens (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        session_id -> Uuid,
        token_hash -> Bytea,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        spent_at -> Nullable<Timestamptz>,
    }
}

table! {
    wallets (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        owner_type -> Text,
        owner_id -> Uuid,
        currency -> Text,
        balance -> Numeric,
        held -> Numeric,
        credit_limit -> Numeric,
        is_active -> Bool,
        sequence -> BigInt,
        head -> Bytea,
    }
}

table! {
    transfers (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        key -> Text,
        reason -> Text,
        reference -> Nullable<Text>,
        description -> Text,
        performed_by -> Nullable<Uuid>,
        currency -> Text,
        at -> Timestamptz,
    }
}

table! {
    entries (org_id, transfer_id, leg) {
        org_id -> Uuid,
        transfer_id -> Uuid,
        leg -> SmallInt,
        account -> Text,
        side -> Text,
        amount -> Numeric,
        wallet_id -> Nullable<Uuid>,
        sequence -> Nullable<BigInt>,
        balance_before -> Nullable<Numeric>,
        balance_after -> Nullable<Numeric>,
        previous -> Nullable<Bytea>,
        seal -> Nullable<Bytea>,
        at -> Nullable<Timestamptz>,
        reason -> Nullable<Text>,
    }
}

table! {
    holds (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        wallet_id -> Uuid,
        amount -> Numeric,
        placed_at -> Timestamptz,
        closed_at -> Nullable<Timestamptz>,
        outcome -> Nullable<Text>,
    }
}

table! {
    quotes (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        user_id -> Uuid,
        product -> Text,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        booking_id -> Nullable<Uuid>,
        body -> Nullable<Text>,
        catalog -> Nullable<Text>,
    }
}

table! {
    bookings (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        booking_ref -> Text,
        product -> Text,
        user_id -> Uuid,
        user_name -> Text,
        wallet_id -> Uuid,
        hold_id -> Uuid,
        quote_id -> Uuid,
        status -> Text,
        provider -> Text,
        pnr -> Text,
        origin -> Text,
        destination -> Text,
        passenger_count -> Integer,
        currency -> Text,
        base_fare -> Numeric,
        public_fare -> Numeric,
        amount -> Numeric,
        product_content -> Jsonb,
        pricing -> Jsonb,
        failure -> Nullable<Text>,
        created_at -> Timestamptz,
        booked_at -> Nullable<Timestamptz>,
        cancelled_at -> Nullable<Timestamptz>,
        #[sql_name = "likeness"]
        fingerprint -> Nullable<Bytea>,
        #[sql_name = "name_likeness"]
        name_fingerprint -> Nullable<Bytea>,
    }
}

table! {
    supplier_orders (org_id, booking_id, number) {
        org_id -> Uuid,
        booking_id -> Uuid,
        number -> SmallInt,
        reference -> Text,
        supplier -> Text,
        status -> Text,
        supplier_order_id -> Nullable<Text>,
        content -> Nullable<Jsonb>,
        updated_at -> Timestamptz,
        next_poll_at -> Nullable<Timestamptz>,
        poll_count -> Integer,
        hold_state -> Nullable<Text>,
        pay_by -> Nullable<Timestamptz>,
        price_guaranteed_until -> Nullable<Timestamptz>,
        travel_at -> Nullable<Timestamptz>,
        travel_ends -> Nullable<Timestamptz>,
        given_back -> Nullable<Jsonb>,
    }
}

table! {
    effects (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        booking_id -> Uuid,
        number -> SmallInt,
        kind -> Text,
        supplier -> Text,
        requested_by -> Nullable<Uuid>,
        request -> Jsonb,
        state -> Text,
        sent_at -> Timestamptz,
        due_at -> Timestamptz,
        attempts -> Integer,
        problem -> Nullable<Text>,
        closed_at -> Nullable<Timestamptz>,
        saga -> Uuid,
        step -> SmallInt,
        steps -> SmallInt,
        recheck_at -> Nullable<Timestamptz>,
    }
}

table! {
    refunds (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        booking_id -> Uuid,
        wallet_id -> Uuid,
        status -> Text,
        currency -> Text,
        cancellation_charge -> Numeric,
        provider_refund_amount -> Numeric,
        platform_charges -> Numeric,
        refund_to_wallet -> Numeric,
        provider_refund_id -> Nullable<Text>,
        requested_at -> Timestamptz,
        refunded_at -> Nullable<Timestamptz>,
        number -> SmallInt,
        part -> Nullable<Jsonb>,
    }
}

table! {
    events (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        actor_type -> Text,
        actor_id -> Nullable<Uuid>,
        action -> Text,
        entity_type -> Text,
        entity_id -> Text,
        old_value -> Nullable<Jsonb>,
        new_value -> Nullable<Jsonb>,
        ip_address -> Text,
        user_agent -> Text,
        request_id -> Text,
        created_at -> Timestamptz,
    }
}

table! {
    fare_transactions (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        booking_id -> Uuid,
        booking_ref -> Text,
        product -> Text,
        pnr -> Text,
        provider -> Text,
        user_id -> Uuid,
        user_name -> Text,
        currency -> Text,
        public_fare -> Numeric,
        agent_fare -> Numeric,
        agent_commission -> Numeric,
        markup -> Numeric,
        issued_at -> Timestamptz,
        transfer_id -> Nullable<Uuid>,
        ancillary -> Numeric,
        kind -> Nullable<Text>,
        number -> Nullable<SmallInt>,
        supplier_amount -> Nullable<Numeric>,
    }
}

joinable!(users -> organizations (org_id));
allow_tables_to_appear_in_same_query!(users, organizations, sessions, refresh_tokens);
allow_tables_to_appear_in_same_query!(organizations, wallets);
allow_tables_to_appear_in_same_query!(entries, transfers);
allow_tables_to_appear_in_same_query!(bookings, quotes, effects, wallets);
allow_tables_to_appear_in_same_query!(bookings, refunds);
allow_tables_to_appear_in_same_query!(bookings, booking_people, supplier_answers);
allow_tables_to_appear_in_same_query!(users, wallets);
allow_tables_to_appear_in_same_query!(entries, wallets);
allow_tables_to_appear_in_same_query!(entries, users);

table! {
    idempotency_keys (org_id, user_id, key) {
        org_id -> Uuid,
        user_id -> Uuid,
        key -> Text,
        fingerprint -> Bytea,
        booking_ref -> Nullable<Text>,
        effect_id -> Nullable<Uuid>,
        created_at -> Timestamptz,
        status -> Nullable<SmallInt>,
        answer -> Nullable<Text>,
        sealed_answer -> Nullable<Bytea>,
        made_user_id -> Nullable<Uuid>,
        made_transfer_id -> Nullable<Uuid>,
        made_package_id -> Nullable<Uuid>,
        made_webhook_id -> Nullable<Uuid>,
        made_report_id -> Nullable<Uuid>,
    }
}

table! {
    public_events (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        sequence -> Nullable<BigInt>,
        kind -> Text,
        subject -> Text,
        data -> Jsonb,
        created_at -> Timestamptz,
    }
}

table! {
    feed_positions (org_id) {
        org_id -> Uuid,
        last -> BigInt,
        dropped -> BigInt,
    }
}

table! {
    webhooks (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        url -> Text,
        description -> Text,
        event_types -> Array<Text>,
        is_active -> Bool,
        disabled_reason -> Nullable<Text>,
        generation -> Integer,
        previous_until -> Nullable<Timestamptz>,
        due_at -> Nullable<Timestamptz>,
        leased_until -> Nullable<Timestamptz>,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        after_position -> BigInt,
        deleted_at -> Nullable<Timestamptz>,
    }
}

table! {
    webhook_deliveries (org_id, webhook_id, event_id) {
        org_id -> Uuid,
        webhook_id -> Uuid,
        event_id -> Uuid,
        sequence -> BigInt,
        kind -> Text,
        subject -> Text,
        state -> Text,
        attempts -> Integer,
        due_at -> Timestamptz,
        give_up_at -> Timestamptz,
        created_at -> Timestamptz,
        attempted_at -> Nullable<Timestamptz>,
        delivered_at -> Nullable<Timestamptz>,
        status -> Nullable<SmallInt>,
        duration_ms -> Nullable<Integer>,
        answer -> Nullable<Text>,
    }
}

table! {
    notifications (org_id, user_id, id) {
        org_id -> Uuid,
        user_id -> Uuid,
        id -> Uuid,
        kind -> Text,
        title -> Text,
        message -> Text,
        data -> Jsonb,
        created_at -> Timestamptz,
        read_at -> Nullable<Timestamptz>,
    }
}

table! {
    exceptions (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        booking_id -> Uuid,
        effect_id -> Nullable<Uuid>,
        kind -> Text,
        problem -> Text,
        details -> Jsonb,
        raised_at -> Timestamptz,
        outcome -> Nullable<Text>,
        order_id -> Nullable<Text>,
        note -> Nullable<Text>,
        closed_at -> Nullable<Timestamptz>,
        closed_by -> Nullable<Text>,
        ruling_id -> Nullable<Uuid>,
        claimed_by -> Nullable<Uuid>,
        claimed_at -> Nullable<Timestamptz>,
        resolved_by -> Nullable<Uuid>,
    }
}

table! {
    packages (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        product -> Text,
        name -> Text,
        description -> Text,
        markup_type -> Text,
        markup_value -> Numeric,
        markup_apply_on -> Text,
        priority -> Integer,
        is_active -> Bool,
        created_by -> Uuid,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
    }
}

table! {
    price_ranges (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        package_id -> Uuid,
        min_amount -> Numeric,
        max_amount -> Nullable<Numeric>,
        markup_type -> Text,
        markup_value -> Numeric,
        sort_order -> Integer,
    }
}

table! {
    package_assignments (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        product -> Text,
        package_id -> Uuid,
        agent_id -> Nullable<Uuid>,
        assigned_by -> Uuid,
        assigned_at -> Timestamptz,
    }
}

table! {
    terms (org_id) {
        org_id -> Uuid,
        service_fee_type -> Text,
        service_fee_value -> Numeric,
        gst_percent -> Numeric,
        platform_charge -> Numeric,
        min_commission -> Numeric,
        max_commission -> Numeric,
        updated_at -> Timestamptz,
    }
}

table! {
    contracts (org_id, supplier, airline, cabin) {
        org_id -> Uuid,
        supplier -> Text,
        airline -> Text,
        cabin -> Text,
        commission_type -> Text,
        commission_value -> Numeric,
        updated_at -> Timestamptz,
    }
}

table! {
    exchange_rates (from_currency, to_currency, source) {
        from_currency -> Text,
        to_currency -> Text,
        rate -> Numeric,
        source -> Text,
        day -> Date,
        updated_at -> Timestamptz,
    }
}

table! {
    reports (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        user_id -> Uuid,
        scope -> Text,
        #[sql_name = "type"]
        kind -> Text,
        filters -> Jsonb,
        period_start -> Timestamptz,
        period_end -> Timestamptz,
        status -> Text,
        attempts -> Integer,
        due_at -> Nullable<Timestamptz>,
        problem -> Nullable<Text>,
        bytes -> Nullable<BigInt>,
        row_count -> Nullable<BigInt>,
        progress -> Nullable<SmallInt>,
        created_at -> Timestamptz,
        generated_at -> Nullable<Timestamptz>,
        expires_at -> Nullable<Timestamptz>,
    }
}

allow_tables_to_appear_in_same_query!(public_events, webhook_deliveries);
allow_tables_to_appear_in_same_query!(packages, price_ranges, package_assignments, users);
allow_tables_to_appear_in_same_query!(contracts, organizations);

table! {
    booking_people (org_id, booking_id, kind) {
        org_id -> Uuid,
        booking_id -> Uuid,
        kind -> Text,
        kek_id -> Text,
        wrapped_key -> Nullable<Bytea>,
        sealed -> Nullable<Bytea>,
        sealed_at -> Timestamptz,
        erase_after -> Date,
        erased_at -> Nullable<Timestamptz>,
    }
}

table! {
    booking_names (org_id, booking_id, name_key) {
        org_id -> Uuid,
        booking_id -> Uuid,
        name_key -> Bytea,
    }
}

table! {
    supplier_answers (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        booking_id -> Uuid,
        number -> SmallInt,
        effect_id -> Nullable<Uuid>,
        at -> Timestamptz,
        sealed -> Bytea,
    }
}

table! {
    people_erasures (org_id, booking_id, kind) {
        org_id -> Uuid,
        booking_id -> Uuid,
        kind -> Text,
        at -> Timestamptz,
    }
}

table! {
    booking_holds (org_id, booking_id) {
        org_id -> Uuid,
        booking_id -> Uuid,
        auto_ticket_since -> Nullable<Timestamptz>,
        auto_ticket_at -> Nullable<Timestamptz>,
        held_at -> Nullable<Timestamptz>,
        planned_at -> Nullable<Timestamptz>,
        planned_pay_by -> Nullable<Timestamptz>,
        planned_price_until -> Nullable<Timestamptz>,
        due_at -> Nullable<Timestamptz>,
    }
}

table! {
    order_changes (org_id, booking_id, number, supplier_change_id) {
        org_id -> Uuid,
        booking_id -> Uuid,
        user_id -> Uuid,
        number -> SmallInt,
        supplier_change_id -> Text,
        id -> Uuid,
        place -> SmallInt,
        kind -> Text,
        minutes -> Nullable<Integer>,
        before -> Jsonb,
        after -> Jsonb,
        state -> Text,
        actions -> Jsonb,
        decide_by -> Nullable<Timestamptz>,
        due_at -> Nullable<Timestamptz>,
        found_at -> Timestamptz,
        decided_at -> Nullable<Timestamptz>,
        decided_by -> Nullable<Uuid>,
        effect_id -> Nullable<Uuid>,
    }
}

table! {
    hold_reminders (org_id, booking_id, number) {
        org_id -> Uuid,
        booking_id -> Uuid,
        number -> SmallInt,
        kind -> Text,
        due_at -> Timestamptz,
        told_at -> Nullable<Timestamptz>,
    }
}

table! {
    operators (id) {
        id -> Uuid,
        username -> Text,
        name -> Text,
        password_hash -> Text,
        given_password_hash -> Nullable<Text>,
        role -> Text,
        status -> Text,
        session_epoch -> Integer,
        created_at -> Timestamptz,
        last_login_at -> Nullable<Timestamptz>,
    }
}

table! {
    operator_sessions (id) {
        id -> Uuid,
        token_hash -> Bytea,
        operator_id -> Uuid,
        session_epoch -> Integer,
        created_at -> Timestamptz,
        idle_until -> Timestamptz,
        ends_at -> Timestamptz,
        confirmed_at -> Timestamptz,
        user_agent -> Text,
        address -> Text,
    }
}

table! {
    operator_events (id) {
        id -> Uuid,
        actor_id -> Nullable<Uuid>,
        action -> Text,
        operator_id -> Nullable<Uuid>,
        value -> Jsonb,
        address -> Text,
        created_at -> Timestamptz,
    }
}

allow_tables_to_appear_in_same_query!(operators, operator_sessions);
