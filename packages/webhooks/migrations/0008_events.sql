-- Events, the subscriptions they go to, and one delivery for each event and subscription.

create table subscription (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  url text not null check (char_length(url) <= 2048),
  -- Empty: every type, those still to come included.
  event_types text[] not null,
  enabled boolean not null default true,
  -- Encrypted; the last characters are shown.
  secret bytea not null,
  secret_last_characters text not null check (char_length(secret_last_characters) <= 8),
  created_at timestamptz(3) not null,
  disabled_at timestamptz(3),
  disabled_reason text check (char_length(disabled_reason) <= 500),
  primary key (clinic_id, id)
);

-- The place of a clinic's last event in its feed. Taken last in a transaction: nothing appears behind a reader.
create table event_counter (
  clinic_id text collate "C" not null references clinic,
  last_position bigint not null,
  primary key (clinic_id)
);

-- The exact bytes that are sent, once. By the day of creation: old days are dropped whole.
create table event (
  clinic_id text collate "C" not null,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  position bigint not null,
  type text not null,
  body text not null,
  created_at timestamptz(3) not null,
  primary key (clinic_id, created_at, id)
) partition by range (created_at);
create index event_position on event (clinic_id, position);
create table event_rest partition of event default;

create table delivery (
  clinic_id text collate "C" not null,
  subscription_id text collate "C" not null,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  event_id text collate "C" not null,
  event_type text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempt_count integer not null default 0,
  -- When the next attempt may start; null when there is none to come.
  due_at timestamptz(3),
  -- The event's: a delivery lies in the same day's partition.
  created_at timestamptz(3) not null,
  primary key (clinic_id, subscription_id, created_at, event_id)
) partition by range (created_at);
create index delivery_due on delivery (clinic_id, subscription_id, due_at) where status = 'pending';
create table delivery_rest partition of delivery default;

select protect_clinic_table(name::regclass) from unnest(array['subscription', 'event_counter', 'event', 'delivery']) name;
