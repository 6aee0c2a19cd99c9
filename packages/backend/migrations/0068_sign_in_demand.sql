-- A clinic may demand a passkey or the identity provider of everybody who opens its console (docs/decisions/0110). An owner says so.
-- A cluster takes a check of a distributed table only as a statement of its own, which each one within a block is.
do $$ begin
  alter table clinic add sign_in_demand text collate "C" not null default 'any';
  alter table clinic add constraint clinic_sign_in_demand_check check (sign_in_demand in ('any', 'passkey', 'provider'));
end $$;
grant update (sign_in_demand) on clinic to clinic_data_console;
