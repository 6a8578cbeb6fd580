//! The tables of operators, as `migrations/` makes them.

use diesel::table;

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

diesel::allow_tables_to_appear_in_same_query!(operators, operator_sessions);
