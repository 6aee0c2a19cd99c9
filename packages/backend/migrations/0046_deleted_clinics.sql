-- When the operator closed the clinic: from then on no key, token or report opens it. And when the deletion of its rows began. Its own row
-- stays: the id is never given again, and the audit log goes on being shown.
alter table clinic add closed_at timestamptz(3), add deleted_at timestamptz(3);
