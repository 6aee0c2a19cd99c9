-- Who read a person before rows of the log named the patient: as a lead, or as a call or chat of nobody's phone. The console's login finds these
-- records by phone, e-mail and name, and reads no text of them.
grant select (clinic_id, id, first_name, last_name, phone_normal, email_folded, created_at) on lead to clinic_data_console;
grant select (clinic_id, id, patient_phone, recording_file_id, started_sort) on call to clinic_data_console;
grant select (patient_phone, media_file_id) on chat_message to clinic_data_console;
grant select (clinic_id, id, patient_phone) on chat_conversation to clinic_data_console;
grant select on erased_record to clinic_data_console;

-- With whom a record was erased. Nothing else says it afterwards. Null for those of before.
alter table erased_record add patient_id text collate "C";
