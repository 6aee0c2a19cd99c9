-- A rule of the watch may stop the integration whose key it called, where an owner chose that (docs/decisions/0126).
create table stop_rule (
  clinic_id text collate "C" not null,
  rule text collate "C" not null check (rule in ('silence', 'new_network', 'many_patients', 'patients_in_order')),
  -- What was noticed before stops nothing.
  chosen_at timestamptz(3) not null,
  chosen_by text collate "C" not null,
  primary key (clinic_id, rule),
  foreign key (clinic_id, chosen_by) references administrator (clinic_id, id)
);
select protect_clinic_table('stop_rule');
revoke all on stop_rule from clinic_data_app;
grant select, insert, delete on stop_rule to clinic_data_console;

do $$ begin
  -- When the rule stopped the integration. Null: it did not.
  alter table audit_alert add stopped_at timestamptz(3);
  -- When somebody last undid a Stop.
  alter table integration add resumed_at timestamptz(3);
end $$;
