-- The glossary's words: orders are polled, steps that follow each other are a saga, and searches are counted look-to-book.
alter table supplier_orders rename column look_at to next_poll_at;
alter table supplier_orders rename column looks to poll_count;
alter index orders_to_look_at rename to orders_to_poll;
alter table effects rename column chain to saga;
alter table looks rename to look_to_book;
