-- The watch over the audit log (docs/decisions/0119): what is usual for each key, up to where the log was watched, and the alerts.

-- When a revoked key, or one of a stopped integration, was tried last. A refusal of a key has no row in the log.
alter table api_key add tried_at timestamptz(3);
grant update (tried_at) on api_key to clinic_data_app;

create table audit_alert (
  clinic_id text collate "C" not null,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  rule text collate "C" not null check (rule in ('silence', 'new_network', 'many_patients', 'patients_in_order', 'many_refusals', 'ended_key', 'stopped_partner')),
  -- A key's or a connection's.
  key_id text collate "C" not null check (char_length(key_id) between 1 and 128),
  -- The clinic's, on which it happened. A rule calls once a key and day.
  day date not null,
  noticed_at timestamptz(3) not null,
  -- The numbers of the reason. They grow until the day ends or somebody has seen them.
  facts jsonb not null,
  seen_at timestamptz(3),
  seen_by text collate "C",
  -- When it was told by mail and to the operator's webhook. Null: not yet, or nobody is to be told.
  mailed_at timestamptz(3),
  posted_at timestamptz(3),
  primary key (clinic_id, id),
  unique (clinic_id, rule, key_id, day),
  foreign key (clinic_id, seen_by) references administrator (clinic_id, id),
  check ((seen_at is null) = (seen_by is null))
);
create index audit_alert_noticed on audit_alert (clinic_id, noticed_at, id);
select protect_clinic_table('audit_alert');
revoke all on audit_alert from clinic_data_app;
grant select, update (seen_at, seen_by) on audit_alert to clinic_data_console;

-- What is usual for a key, and its day that has not ended. It names the patient that the key read last.
create table audit_usual (
  clinic_id text collate "C" not null,
  key_id text collate "C" not null check (char_length(key_id) between 1 and 128),
  learnt jsonb not null,
  primary key (clinic_id, key_id)
);
select protect_clinic_table('audit_usual');
revoke all on audit_usual from clinic_data_app;

-- Up to where a clinic's log was watched. Whoever watches holds its row.
create table audit_watch (
  clinic_id text collate "C" primary key,
  -- The last row that was looked at.
  last_id bigint not null,
  -- The clinic's first day that is not learnt yet.
  day date not null,
  watched_at timestamptz(3) not null,
  -- By each way of telling: how often on which day, and when it is tried again.
  counts jsonb not null default '{}'
);
select protect_clinic_table('audit_watch');
revoke all on audit_watch from clinic_data_app;
grant select on audit_watch to clinic_data_console;
