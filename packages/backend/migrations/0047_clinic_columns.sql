-- What a request may change of its clinic: its settings, and its account at the messaging platform. Whether it is closed or deleted only the
-- owner says: a dispatcher deletes what is left of a deleted one.
revoke update on clinic from clinic_data_app;
grant update (name, week_start, min_visit_minutes, slot_step_minutes, ai_transcription, wrapping_template_name, wrapping_template_language,
  messaging_platform, messaging_account_id, messaging_account_hash, messaging_phone) on clinic to clinic_data_app;
