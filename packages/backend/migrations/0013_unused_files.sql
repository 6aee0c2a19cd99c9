-- Which files nothing refers to: asked of each file of a clinic, oldest first; and when one is removed, of what may refer to it.
create index file_created on file (clinic_id, created_at, id);
create index call_recording_file on call (clinic_id, recording_file_id) where recording_file_id is not null;
create index chat_message_media_file on chat_message (clinic_id, media_file_id) where media_file_id is not null;
create index payment_document_file on payment_document (clinic_id, file_id) where file_id is not null;
