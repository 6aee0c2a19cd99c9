-- Anybody may add a device's request and an app that registers itself. So each says from which blocks of addresses it came, of which none has
-- more than a share, and when a signed-in person looked at it: such a one is not removed for a newer one. Of before nobody knows. No
-- transaction changes both tables.
alter table device_request add column sent_from text[], add column looked_at timestamptz(3);
alter table app add column sent_from text[], add column looked_at timestamptz(3);
