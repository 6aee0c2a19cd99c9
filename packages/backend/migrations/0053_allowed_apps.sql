-- A clinic may be stricter than the operator about the apps that people connect (docs/decisions/0103). Its administrators say so in the console.
-- A cluster takes a check of a distributed table only as a statement of its own, which each one within a block is.
do $$ begin
  alter table clinic add allowed_apps text collate "C" not null default 'any';
  alter table clinic add constraint clinic_allowed_apps_check check (allowed_apps in ('any', 'verified', 'none'));
  alter table connection drop constraint connection_end_reason_check;
  alter table connection add constraint connection_end_reason_check
    check (end_reason in ('ended', 'by_app', 'reused', 'app_disabled', 'person_disabled', 'not_allowed', 'replaced'));
  -- To tell connections of one app and person apart: where it runs, and from which address it took its first tokens. Older ones do not say.
  alter table connection add place text collate "C", add connected_from text collate "C";
  alter table connection add constraint connection_place_check check (place in ('web', 'computer', 'device'));
  alter table connection add constraint connection_connected_from_check check (char_length(connected_from) between 1 and 64);
end $$;
grant update (allowed_apps) on clinic to clinic_data_console;
-- The webhooks of a connection that a newer one replaces are the newer one's.
grant update (made_by) on subscription to clinic_data_console;
