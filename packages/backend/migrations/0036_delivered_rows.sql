-- Deliveries to webhooks have audit rows. The stored rows satisfy the narrower rule that stood before, so they are not read again.
alter table audit drop constraint audit_surface_check;
alter table audit add constraint audit_surface_check
  check (surface in ('rest', 'mcp', 'file', 'ingest', 'console', 'webhook')) not valid;
