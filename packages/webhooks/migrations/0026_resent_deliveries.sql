-- A delivery that has arrived can be sent once more by hand. It is delivered still, whatever that attempt brings.

alter table delivery drop constraint delivery_manual_from_check;
alter table delivery add constraint delivery_manual_from_check check (manual_from in ('pending', 'failed', 'delivered'));
