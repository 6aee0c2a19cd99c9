-- When the person of a session last proved who it is, and how: at the sign-in, and at each confirmation since (docs/decisions/0107). Null: nobody
-- can tell, as of a session that a program of before has begun. Whatever gives power then asks.
-- A cluster takes a check of a distributed table only as a statement of its own, which each one within a block is.
do $$ begin
  alter table administrator_session add proven_at timestamptz(3), add proven_by text collate "C";
  alter table administrator_session add constraint administrator_session_proven_by_check
    check (proven_by in ('password', 'passkey', 'provider', 'link', 'invitation'));
end $$;
