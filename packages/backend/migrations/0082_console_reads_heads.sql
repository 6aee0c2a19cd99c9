-- The console's export of the audit log leads to the head of its chain.
grant select on audit_head to clinic_data_console;
