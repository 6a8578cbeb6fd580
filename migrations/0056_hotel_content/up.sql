-- What hotels are, of suppliers that must not be asked for it beside searches: found by a search, wished for, asked for, kept.
create table hotel_content (
    supplier text,
    -- In the supplier's words.
    language text,
    -- The supplier's id of it.
    hotel text,
    -- As a search told it.
    name text not null,
    -- Since when it waits to be asked for; null once it was.
    wished_at timestamptz,
    asked_at timestamptz,
    -- What the supplier told; null where it was not asked, or knows nothing of it.
    content jsonb,
    primary key (supplier, language, hotel)
);

-- What waits, the longest first.
create index hotel_content_wished on hotel_content (wished_at, supplier) where wished_at is not null;

-- When the next page is asked for: one server does it.
create table hotel_content_pages (
    supplier text primary key,
    next_at timestamptz not null
);
