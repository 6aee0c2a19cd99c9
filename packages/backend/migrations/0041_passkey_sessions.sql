-- A session that began by a passkey. Soon after it began, a new password does not need the current one, as after a sign-in link.
alter table administrator_session add by_passkey boolean not null default false;
