-- The list of all payments of a clinic, by the time paid and by the time of the last change.
create index payment_paid_sort on payment (clinic_id, paid_sort, id);
create index payment_updated on payment (clinic_id, updated_at, id);
