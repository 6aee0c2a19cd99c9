-- After a rotation the former secrets sign beside the new one for a day: a list of { sealed, until }, sealed like the secret itself.

alter table subscription add former_secrets jsonb not null default '[]';
