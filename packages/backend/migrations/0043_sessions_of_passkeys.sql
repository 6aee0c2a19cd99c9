-- The passkey that a session began by, which is removed with its sessions. Null for other ways in, and for sessions from before.
alter table administrator_session add passkey_id text collate "C";
alter table administrator_session add constraint administrator_session_passkey_id_check check (char_length(passkey_id) between 1 and 128);
