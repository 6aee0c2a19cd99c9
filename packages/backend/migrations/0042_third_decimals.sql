-- An amount with a third decimal (KWD and a few others have one) stands here in thousandths, and its whole hundredths in the column
-- before. All others leave this null. A version before this one changes the hundredths alone: thousandths that no longer fit them do
-- not count. A new column without a default or a check changes no stored row, so that no table is locked for longer than a moment.
alter table catalog_treatment add price_thousandths bigint;
alter table treatment add price_thousandths bigint, add discount_thousandths bigint;
alter table payment add amount_thousandths bigint;
-- 0.005 has no whole hundredth. The stored rows met the narrower rule and are not read again.
alter table payment drop constraint payment_amount_minor_check,
  add constraint payment_amount_minor_check check (amount_minor between 0 and 100000000000) not valid,
  add constraint payment_amount_positive check (amount_minor > 0 or amount_thousandths > 0) not valid;
