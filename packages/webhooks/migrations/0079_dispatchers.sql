-- The dispatchers at work. One that is silent has died, and what it holds is due again before its leases end (docs/decisions/0123).
create table dispatcher (
  worker uuid primary key,
  beat_at timestamptz not null
);
grant select, insert, update, delete on dispatcher to clinic_data_app;
