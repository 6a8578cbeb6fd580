//! Flight searches: the stream, what is shared between them, and suppliers that fail.

mod event_stream;
mod redis_sessions;
mod search_cache;
mod supplier_faults;
