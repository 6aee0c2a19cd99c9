-- The account of the identity provider that an administrator has signed in with, by its issuer and its subject. Null until the first time.
alter table administrator add openid_issuer text collate "C";
alter table administrator add openid_subject text collate "C";
alter table administrator add constraint administrator_openid_check check (
  (openid_issuer is null) = (openid_subject is null)
  and char_length(openid_issuer) between 1 and 2000 and char_length(openid_subject) between 1 and 255
);
create unique index administrator_openid on administrator (clinic_id, openid_issuer, openid_subject) where disabled_at is null;
