"""Whether all that was acknowledged is there at the end, once, and whether everybody's books agree."""

from collections import Counter

import psycopg

from processes import until

# Longer than a supplier may take to make an order of which it has not said anything.
SETTLING = 400

BOOKINGS = "select booking_ref, status, id::text from bookings"
ORDERS = "select b.booking_ref, o.supplier_order_id from supplier_orders o join bookings b using (org_id) where o.booking_id = b.id"
UNDER_WAY = """select (select count(*) from effects where state in ('open', 'planned'))
    + (select count(*) from bookings where status = 'pending')
    + (select count(*) from holds where closed_at is null)"""
INCIDENTS = "select kind, booking_id::text from exceptions where closed_at is null"
# The entry of each booking in the chain of its wallet.
PAID = """select t.reference, e.wallet_id::text, e.sequence from transfers t
    join entries e on (e.org_id, e.transfer_id) = (t.org_id, t.id)
    where t.reason = 'booking' and e.wallet_id is not null"""
GAPS = """select wallet_id::text from entries where wallet_id is not null
    group by org_id, wallet_id having count(*) <> max(sequence)"""
HELD = """select id::text from wallets w where held <> (select coalesce(sum(amount), 0) from holds h
    where (h.org_id, h.wallet_id) = (w.org_id, w.id) and h.closed_at is null)"""


def wrongs(cluster, sales):
    """All that is wrong, in a sentence each; and how many bookings there are."""
    with psycopg.connect(cluster.superuser_url(), autocommit=True) as connection:
        rows = lambda query: connection.execute(query).fetchall()  # noqa: E731
        until("nothing is under way", lambda: rows(UNDER_WAY) == [(0,)], SETTLING)
        bookings = {reference: status for reference, status, _ in rows(BOOKINGS)}
        ours = {order: reference for reference, order in rows(ORDERS) if order}
        paid = rows(PAID)
        found = [f"an open incident: {row}" for row in rows(INCIDENTS)]
        found += [f"a chain with gaps: wallet {row}" for row in rows(GAPS)]
        found += [f"held is not the sum of open holds: wallet {row}" for row in rows(HELD)]
    found += of_sales(sales, bookings, paid)
    found += of_orders(cluster.orders(), bookings, ours)
    verified = cluster.operate("ledger", "verify")
    print(f"ledger verify: {verified}")
    return found, len(bookings)


def of_sales(sales, bookings, paid):
    times = Counter(reference for reference, _, _ in paid)
    for reference, count in Counter(sale.reference for sale in sales).items():
        if count > 1:
            yield f"two keys have one booking: {reference}"
    for sale in sales:
        status = bookings.get(sale.reference)
        # What was acknowledged as pending may have failed since.
        if status is None:
            yield f"acknowledged and lost: {sale}"
        elif status != "confirmed" and (sale.status == "CONFIRMED" or status != "failed"):
            yield f"acknowledged and now {status}: {sale}"
    for reference, status in bookings.items():
        if times[reference] != (1 if status == "confirmed" else 0):
            yield f"{reference} is {status} and was paid {times[reference]} times"
    yield from out_of_order(sales, paid)


def out_of_order(sales, paid):
    """What was acknowledged before another was asked for has the smaller number in their wallet's chain."""
    place = {reference: (wallet, sequence) for reference, wallet, sequence in paid}
    # Of those that were answered as pending nobody knows when they were paid.
    known = [(sale, *place[sale.reference]) for sale in sales if sale.status == "CONFIRMED" and sale.reference in place]
    for wallet in {wallet for _, wallet, _ in known}:
        of_wallet = [(sale, sequence) for sale, other, sequence in known if other == wallet]
        by_answer = sorted(of_wallet, key=lambda one: one[0].answered_at)
        answered, highest = 0, -1
        for sale, sequence in sorted(of_wallet, key=lambda one: one[0].asked_at):
            while answered < len(by_answer) and by_answer[answered][0].answered_at < sale.asked_at:
                highest = max(highest, by_answer[answered][1])
                answered += 1
            if sequence < highest:
                yield f"{sale.reference} has number {sequence}, after {highest} was acknowledged"


def of_orders(orders, bookings, ours):
    """Suppliers have what we have, and nothing else."""
    live = {order["id"] for order in orders if order["status"] in ("held", "confirmed")}
    for order in live:
        if bookings.get(ours.get(order)) != "confirmed":
            yield f"only the supplier knows {order}"
    for order, reference in ours.items():
        if bookings[reference] == "confirmed" and order not in live:
            yield f"the supplier does not know {order} of {reference}"
