-- An issued document never changes: the program may add one, and the page that was printed of it.
revoke update, delete on payment_document from clinic_data_app;
grant update (file_id) on payment_document to clinic_data_app;

-- What was given back of a payment.
create index payment_refunded on payment (clinic_id, refunded_payment_id) where refunded_payment_id is not null;
