-- The people of a clinic: their roles, and invitations (docs/decisions/0096). Whoever was there before is an owner. So is whom a program of before
-- makes: it knows no roles, and lets everybody do everything.
-- A cluster takes a check of a distributed table only as a statement of its own, which each one within a block is.
do $$ begin
  alter table administrator add role text collate "C" not null default 'owner';
  alter table administrator add constraint administrator_role_check
    check (role in ('owner', 'administrator', 'developer', 'auditor', 'member'));
end $$;
-- It is not listed any more. Its row stays, so that the log has a name for what it did.
alter table administrator add removed_at timestamptz(3);

create table invitation (
  clinic_id text collate "C" not null,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  token_hash text collate "C" not null check (token_hash ~ '^[0-9a-f]{64}$'),
  -- Folded: lower case, no invisible characters.
  email text not null check (char_length(email) between 3 and 254),
  name text not null check (char_length(name) between 1 and 200),
  role text collate "C" not null check (role in ('owner', 'administrator', 'developer', 'auditor', 'member')),
  -- The owner whose invitation it is. It ends with the owner's rights.
  made_by text collate "C" not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  withdrawn_at timestamptz(3),
  primary key (clinic_id, id),
  unique (clinic_id, token_hash),
  foreign key (clinic_id, made_by) references administrator (clinic_id, id)
);
create index invitation_created on invitation (clinic_id, created_at);
select protect_clinic_table('invitation');
revoke all on invitation from clinic_data_app;
grant select, insert, update, delete on invitation to clinic_data_console;
-- Whoever accepts an invitation is made an administrator.
grant insert on administrator to clinic_data_console;

-- What members may give to the apps that they connect. Null: nothing was said, and the program's usual ones hold.
alter table clinic add member_scopes text[];
grant update (member_scopes) on clinic to clinic_data_console;
