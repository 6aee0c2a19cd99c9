-- Who minted an ingest token: an administrator, or null for the operator. And the Idempotency-Key of that request, which mints once.
alter table ingest_token add made_by text collate "C";
alter table ingest_token add mint_request text collate "C";
alter table ingest_token add constraint ingest_token_made_by_check check (char_length(made_by) between 1 and 128);
alter table ingest_token add constraint ingest_token_mint_request_check check (char_length(mint_request) between 1 and 255);
alter table ingest_token add constraint ingest_token_mint_request_key unique (clinic_id, mint_request);
