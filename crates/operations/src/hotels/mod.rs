//! Hotels: search, price, book, look at, give back.
