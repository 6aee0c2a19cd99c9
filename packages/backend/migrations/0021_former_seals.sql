-- The seals of the audit chain in the form of the first versions, which `0022_audit_chain` drops: `clinicd audit verify` goes on checking
-- the rows that they cover. Nothing is added any more.

create table audit_former_seal (
  clinic_id text collate "C" not null,
  number bigint not null check (number > 0),
  -- The last row that the seal covers, by (stored_at, id).
  last_stored_at timestamptz not null,
  last_id bigint not null,
  row_count integer not null check (row_count > 0),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  sealed_at timestamptz(3) not null,
  primary key (clinic_id, number)
);

do $$ begin
  -- A database that applied `0022_audit_chain` before this file came has no such seals left.
  if exists (select from pg_attribute where attrelid = 'audit_seal'::regclass and attname = 'last_stored_at') then
    -- Its owner too sees no row of it otherwise.
    alter table audit_seal no force row level security;
    insert into audit_former_seal (clinic_id, number, last_stored_at, last_id, row_count, hash, sealed_at)
      select clinic_id, number, last_stored_at, last_id, row_count, hash, sealed_at from audit_seal;
  end if;
end $$;

alter table audit_former_seal enable row level security;
alter table audit_former_seal force row level security;
create policy clinic on audit_former_seal for select using (clinic_id = current_setting('app.clinic_id', true));
grant select on audit_former_seal to clinic_data_app;
