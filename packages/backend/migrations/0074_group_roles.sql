-- Groups of the identity provider may give roles (docs/decisions/0115). An owner says which.
create table group_role (
  clinic_id text collate "C" not null,
  group_name text collate "C" not null check (char_length(group_name) between 1 and 200),
  role text collate "C" not null check (role in ('administrator', 'developer', 'auditor', 'member')),
  created_at timestamptz(3) not null,
  primary key (clinic_id, group_name)
);
select protect_clinic_table('group_role');
revoke all on group_role from clinic_data_app;
grant select, insert, update, delete on group_role to clinic_data_console;

do $$ begin
  -- The group that has given a person the role. Null: somebody gave it by hand. And since when no group gives one any more.
  alter table administrator add role_group text collate "C";
  alter table administrator add group_ended_at timestamptz(3);
  alter table administrator add constraint administrator_role_group_check check (char_length(role_group) between 1 and 200);
  -- The sealed token by which the provider is asked for the person's groups, when it last told them, and when it was last asked.
  alter table administrator_session add groups_token bytea;
  alter table administrator_session add groups_at timestamptz(3);
  alter table administrator_session add groups_asked_at timestamptz(3);
end $$;
