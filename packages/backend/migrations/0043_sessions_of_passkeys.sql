-- The passkey that a session began by, which is removed with its sessions. Null for other ways in, and for sessions from before.
alter table administrator_session add passkey_id text collate "C";
