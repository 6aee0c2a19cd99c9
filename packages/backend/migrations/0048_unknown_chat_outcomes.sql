-- The chat messages of which nothing was ever heard: a few of many, found by when they were given up.
create index chat_message_unknown on chat_message (clinic_id, failed_at)
  where failure_reason = 'outcome_unknown' and sent_at is null and delivered_at is null;
