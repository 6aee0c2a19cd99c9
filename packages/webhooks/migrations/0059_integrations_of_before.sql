-- Everything that there is gets one of its own. A webhook goes to that of the key or connection that made it.
do $$
declare
  of_clinic text;
begin
  for of_clinic in select clinic_id from clinic loop
    perform set_config('app.clinic_id', of_clinic, true);
    insert into integration (clinic_id, id, name, created_at)
      select clinic_id, 'int_' || id, coalesce(nullif(btrim(name), ''), id), created_at from api_key
      where clinic_id = of_clinic and integration_id is null
      on conflict do nothing;
    update api_key set integration_id = 'int_' || id where clinic_id = of_clinic and integration_id is null;
    insert into integration (clinic_id, id, name, created_at)
      select s.clinic_id, 'int_' || s.id, left(coalesce(nullif(btrim(s.description), ''), s.url), 200), s.created_at
      from subscription s
      where s.clinic_id = of_clinic and s.integration_id is null and not exists (
        select from api_key k where k.clinic_id = of_clinic and k.id = s.made_by)
      on conflict do nothing;
    update subscription s set integration_id = coalesce(
        (select k.integration_id from api_key k where k.clinic_id = of_clinic and k.id = s.made_by), 'int_' || s.id)
      where s.clinic_id = of_clinic and s.integration_id is null;
  end loop;
  perform set_config('app.clinic_id', '', true);
end $$;
