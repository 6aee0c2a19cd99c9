-- A clinic may want a second person's approval before patients' data opens wider (docs/decisions/0113). An owner says so.
alter table clinic add needs_approval boolean not null default false;
grant update (needs_approval) on clinic to clinic_data_console;

-- What somebody asked another person to approve, and what became of it. It lets the same request of the same person through, once.
create table approval (
  clinic_id text collate "C" not null,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  operation text collate "C" not null check (char_length(operation) between 1 and 64),
  -- The request with what the other person is shown beside it, and the hash of both: another one is not approved by it.
  request jsonb not null,
  request_hash text collate "C" not null check (request_hash ~ '^[0-9a-f]{64}$'),
  asked_by text collate "C" not null,
  asked_at timestamptz(3) not null,
  -- It is decided until then, and once it is approved it is used until then.
  expires_at timestamptz(3) not null,
  withdrawn_at timestamptz(3),
  decided_by text collate "C",
  decided_at timestamptz(3),
  is_approved boolean,
  used_at timestamptz(3),
  -- The `Idempotency-Key` of the request that used it: the same request again is no second use.
  used_request text check (char_length(used_request) <= 255),
  primary key (clinic_id, id),
  foreign key (clinic_id, asked_by) references administrator (clinic_id, id),
  foreign key (clinic_id, decided_by) references administrator (clinic_id, id),
  check ((decided_by is null) = (decided_at is null) and (decided_by is null) = (is_approved is null)),
  check (decided_by <> asked_by),
  check (used_at is null or is_approved)
);
-- Whoever asks again asks the same.
create unique index approval_open on approval (clinic_id, asked_by, request_hash) where decided_at is null and withdrawn_at is null;
create index approval_asked on approval (clinic_id, asked_at);
select protect_clinic_table('approval');
revoke all on approval from clinic_data_app;
grant select, insert, update on approval to clinic_data_console;
