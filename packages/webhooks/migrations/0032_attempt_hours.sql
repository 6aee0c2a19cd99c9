-- What a subscription's administrators are shown of it: sums of its attempts by hour, and since when its present secret signs.

create table attempt_hour (
  clinic_id text collate "C" not null,
  subscription_id text collate "C" not null,
  -- When it begins. The hours are UTC's.
  hour timestamptz(3) not null,
  delivered integer not null,
  failed integer not null,
  -- Of the last one that failed.
  failed_at timestamptz(3),
  response_status smallint,
  error text check (char_length(error) <= 64),
  primary key (clinic_id, subscription_id, hour),
  foreign key (clinic_id, subscription_id) references subscription (clinic_id, id) on delete cascade
);
select protect_clinic_table('attempt_hour'::regclass);

-- Null: it has its first secret. A rotation within the last day is known by the former secret, which signs for a day.
alter table subscription add rotated_at timestamptz(3);
update subscription set rotated_at = (select max((former ->> 'until')::timestamptz) - interval '24 hours'
  from jsonb_array_elements(former_secrets) former) where former_secrets <> '[]'::jsonb;
