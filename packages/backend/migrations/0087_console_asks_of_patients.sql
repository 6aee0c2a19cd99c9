-- An owner asks in the console who owes, and who has not come for long. Its login reads what the filters of patients compare, and no note,
-- treatment or description.
grant select (clinic_id, patient_id, status_id, start_sort) on appointment to clinic_data_console;
grant select (clinic_id, id, kind) on appointment_status to clinic_data_console;
grant select (clinic_id, patient_id, status, is_refund, paid_sort, amount_minor, amount_thousandths, currency) on payment to clinic_data_console;
grant select (clinic_id, patient_id, price_minor, price_thousandths, discount_minor, discount_thousandths, removed_at) on treatment to clinic_data_console;
