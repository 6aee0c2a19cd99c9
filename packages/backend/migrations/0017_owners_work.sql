-- What no request does, only the owner may: adding keys, tokens and rows of the audit log, and making or dropping days.
revoke insert, update on api_key, ingest_token from clinic_data_app;
grant update (last_used_at) on api_key to clinic_data_app;
revoke insert on audit from clinic_data_app;
alter policy add on audit to current_user;
revoke execute on function maintain_audit(integer), maintain_events(integer) from clinic_data_app;
