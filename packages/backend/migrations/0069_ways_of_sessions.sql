-- How a session began. Null in those that the version before has begun: of these only `passkey_id` tells, for a passkey.
do $$ begin
  alter table administrator_session add way text collate "C";
  alter table administrator_session add constraint administrator_session_way_check
    check (way in ('password', 'link', 'passkey', 'provider', 'invitation'));
end $$;
