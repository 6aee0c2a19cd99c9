-- When the operator deleted the clinic. Its row stays: the id is never given again, and the audit log goes on being shown.
alter table clinic add deleted_at timestamptz(3);
