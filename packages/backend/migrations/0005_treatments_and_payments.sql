-- What was done and what was paid. Money is whole minor units (hundredths), never a float.

create table treatment_plan (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  name text not null check (char_length(name) <= 200),
  primary key (clinic_id, id)
);

create table treatment (
  clinic_id text collate "C" not null,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  patient_id text collate "C",
  catalog_treatment_id text collate "C",
  provider_id text collate "C",
  branch_id text collate "C",
  appointment_id text collate "C",
  plan_id text collate "C",
  quantity integer not null default 1 check (quantity between 0 and 10000),
  -- The row's total, not a unit price; net revenue is price less discount.
  price_minor bigint check (price_minor between -100000000000 and 100000000000),
  discount_minor bigint not null default 0 check (discount_minor between 0 and 100000000000),
  performed_at timestamptz(0) check (performed_at between '1900-01-01Z' and '2200-01-01Z'),
  performed_sort timestamptz(0) not null generated always as (coalesce(performed_at, '-infinity')) stored,
  effective_date date,
  removed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  created_date date not null,
  primary key (clinic_id, id),
  foreign key (clinic_id, patient_id) references patient (clinic_id, id),
  foreign key (clinic_id, catalog_treatment_id) references catalog_treatment (clinic_id, id),
  foreign key (clinic_id, provider_id) references provider (clinic_id, id),
  foreign key (clinic_id, branch_id) references branch (clinic_id, id),
  foreign key (clinic_id, appointment_id) references appointment (clinic_id, id),
  foreign key (clinic_id, plan_id) references treatment_plan (clinic_id, id)
);
create index treatment_patient on treatment (clinic_id, patient_id, performed_sort, id);
create index treatment_patient_updated on treatment (clinic_id, patient_id, updated_at, id);
create index treatment_appointment on treatment (clinic_id, appointment_id, performed_sort, id);

create table payment (
  clinic_id text collate "C" not null,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  patient_id text collate "C",
  billing_account_id text collate "C",
  amount_minor bigint not null check (amount_minor between 1 and 100000000000),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  method_type text not null check (method_type in ('cash', 'check', 'credit_card', 'bank_transfer', 'payment_app', 'other')),
  is_refund boolean not null default false,
  refunded_payment_id text collate "C",
  status text not null default 'recorded' check (status in ('recorded', 'cancelled')),
  description text check (char_length(description) <= 250),
  external_id text collate "C" check (char_length(external_id) <= 200),
  paid_at timestamptz(0) check (paid_at between '1900-01-01Z' and '2200-01-01Z'),
  paid_sort timestamptz(0) not null generated always as (coalesce(paid_at, '-infinity')) stored,
  paid_date date,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (clinic_id, id),
  foreign key (clinic_id, patient_id) references patient (clinic_id, id),
  foreign key (clinic_id, billing_account_id) references billing_account (clinic_id, id),
  foreign key (clinic_id, refunded_payment_id) references payment (clinic_id, id)
);
create index payment_patient on payment (clinic_id, patient_id, paid_sort, id);
create index payment_patient_updated on payment (clinic_id, patient_id, updated_at, id);
create unique index payment_external on payment (clinic_id, external_id) where external_id is not null;

create table payment_document (
  clinic_id text collate "C" not null,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  payment_id text collate "C" not null,
  billing_account_id text collate "C" not null,
  type text not null check (type in ('receipt', 'tax_invoice', 'tax_invoice_receipt', 'credit_invoice')),
  number bigint not null check (number > 0),
  issued_at timestamptz(0) not null,
  allocation_number text check (char_length(allocation_number) <= 64),
  primary key (clinic_id, id),
  unique (clinic_id, billing_account_id, type, number),
  foreign key (clinic_id, payment_id) references payment (clinic_id, id),
  foreign key (clinic_id, billing_account_id) references billing_account (clinic_id, id)
);
create index payment_document_payment on payment_document (clinic_id, payment_id, number);

select protect_clinic_table(name::regclass) from unnest(array['treatment_plan', 'treatment', 'payment', 'payment_document']) name;
