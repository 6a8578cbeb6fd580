//! Whether whom bookings are for stands where it may: sealed, or as before people were sealed, or nowhere any more.

/// Queries whose every row is something wrong, and what.
pub(crate) const WRONGS: &[(&str, &str)] = &[
    (
        "whom a booking is for is neither sealed nor readable, or both",
        "select b.booking_ref from bookings b
             left join booking_people p on (p.org_id, p.booking_id, p.kind) = (b.org_id, b.id, 'people')
             where (p.kind is null) <> (b.product_content ? 'contact')",
    ),
    (
        "what was asked of a supplier for a sealed booking, or what it said, names people",
        "select b.booking_ref from bookings b
             join booking_people p on (p.org_id, p.booking_id, p.kind) = (b.org_id, b.id, 'people')
             where exists (select from effects e where (e.org_id, e.booking_id) = (b.org_id, b.id)
                 and (e.request ? 'contact' or e.request -> 'booked' ? 'contact'))
             or exists (select from supplier_orders o where (o.org_id, o.booking_id) = (b.org_id, b.id)
                 and o.content -> 'raw' <> 'null')",
    ),
    (
        "what was erased is not gone, or was not told",
        "select b.booking_ref || ' ' || p.kind from booking_people p
             join bookings b on (b.org_id, b.id) = (p.org_id, p.booking_id)
             where p.erased_at is not null and (
                 not exists (select from people_erasures x
                     where (x.org_id, x.booking_id, x.kind) = (p.org_id, p.booking_id, p.kind))
                 or not exists (select from events e where e.org_id = b.org_id and e.entity_id = b.booking_ref
                     and e.action = 'people.erased' and e.new_value -> 'kinds' ? p.kind)
                 or p.kind = 'people' and (b.likeness is not null or b.name_likeness is not null or exists (select from booking_names n
                     where (n.org_id, n.booking_id) = (b.org_id, b.id)))
                 or p.kind = 'answers' and (exists (select from supplier_answers a
                         where (a.org_id, a.booking_id) = (b.org_id, b.id))
                     or exists (select from idempotency_keys k where k.org_id = b.org_id
                         and k.booking_ref = b.booking_ref and k.sealed_answer is not null)))",
    ),
];
