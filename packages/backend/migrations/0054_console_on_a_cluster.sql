-- A cluster copies the keys to every machine. Whoever changes such a table has to lock the clinics that it refers to, and may only with the
-- right to change something of them. This right changes nothing: the policy lets no row have another clinic than the transaction's.
grant update (clinic_id) on clinic to clinic_data_console;
