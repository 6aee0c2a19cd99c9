-- How a subscription was set before its changes: it says why an event of that time made no delivery (docs/decisions/0112).
create table former_subscription (
  clinic_id text collate "C" not null,
  subscription_id text collate "C" not null,
  -- It was so until then, and from the change before.
  until timestamptz(3) not null,
  event_types text[] not null,
  enabled boolean not null,
  is_paused boolean not null,
  disabled_at timestamptz(3),
  stopped_at timestamptz(3),
  primary key (clinic_id, subscription_id, until),
  foreign key (clinic_id, subscription_id) references subscription (clinic_id, id) on delete cascade
);
select protect_clinic_table('former_subscription');
revoke update on former_subscription from clinic_data_app;
grant select, insert, delete on former_subscription to clinic_data_console;
-- Since when its changes are kept: of one from before this migration nobody knows how it was.
alter table subscription add kept_since timestamptz(3) not null default now();
