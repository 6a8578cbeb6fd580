//! Flight searches: the stream, what is shared between them, memory, and suppliers that fail.

mod event_stream;
mod places;
mod redis_sessions;
mod search_cache;
mod search_memory;
mod supplier_faults;
