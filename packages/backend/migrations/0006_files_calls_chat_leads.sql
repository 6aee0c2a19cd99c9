-- Stored files, phone calls, chat, leads. Phones are E.164 in `…_phone` columns that are matched; `…_local` is the shown form.

create table file (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  content_type text not null check (char_length(content_type) <= 127),
  file_name text not null check (char_length(file_name) <= 255),
  size_bytes bigint not null check (size_bytes between 0 and 104857600),
  created_at timestamptz(3) not null,
  primary key (clinic_id, id)
);

-- A file's bytes in pieces of 256 KiB (the last one shorter), so that a range reads only what it needs.
create table file_piece (
  clinic_id text collate "C" not null,
  file_id text collate "C" not null,
  position integer not null check (position >= 0),
  content bytea not null check (octet_length(content) <= 262144),
  primary key (clinic_id, file_id, position),
  foreign key (clinic_id, file_id) references file (clinic_id, id) on delete cascade
);

create table call (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  direction text not null check (direction in ('inbound', 'outbound')),
  status text not null check (status in ('answered', 'missed', 'no_answer', 'voicemail')),
  from_phone text check (char_length(from_phone) <= 40),
  to_phone text check (char_length(to_phone) <= 40),
  patient_phone text collate "C" check (char_length(patient_phone) <= 40),
  patient_phone_local text check (char_length(patient_phone_local) <= 40),
  clinic_phone text check (char_length(clinic_phone) <= 40),
  handled_by_id text check (char_length(handled_by_id) between 1 and 128),
  handled_by_name text check (char_length(handled_by_name) <= 200),
  branch_id text collate "C",
  started_at timestamptz(0) check (started_at between '1900-01-01Z' and '2200-01-01Z'),
  started_sort timestamptz(0) not null generated always as (coalesce(started_at, '-infinity')) stored,
  started_date date,
  answered_at timestamptz(0),
  ended_at timestamptz(0),
  duration_seconds integer not null check (duration_seconds between 0 and 86400),
  ring_seconds integer not null check (ring_seconds between 0 and 86400),
  note text check (char_length(note) <= 2000),
  recording_file_id text collate "C",
  has_recording boolean not null generated always as (recording_file_id is not null) stored,
  recording_seconds integer check (recording_seconds between 0 and 86400),
  transcript_status text check (transcript_status in ('completed', 'failed')),
  transcript_language text check (char_length(transcript_language) <= 64),
  transcript_summary text check (char_length(transcript_summary) <= 10000),
  transcript_segments json,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (clinic_id, id),
  foreign key (clinic_id, branch_id) references branch (clinic_id, id),
  foreign key (clinic_id, recording_file_id) references file (clinic_id, id)
);
create index call_started on call (clinic_id, started_sort, id);
create index call_phone on call (clinic_id, patient_phone, started_sort, id);
create index call_branch on call (clinic_id, branch_id, started_sort, id);
create index call_status on call (clinic_id, status, started_sort, id);
create index call_direction on call (clinic_id, direction, started_sort, id);
create index call_recording on call (clinic_id, has_recording, started_sort, id);
create index call_transcript on call (clinic_id, transcript_status, started_sort, id);
create index call_updated on call (clinic_id, updated_at, id);

create table chat_conversation (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  display_name text check (char_length(display_name) <= 200),
  patient_phone text collate "C" not null check (char_length(patient_phone) <= 40),
  patient_phone_local text not null check (char_length(patient_phone_local) <= 40),
  clinic_phone text collate "C" check (char_length(clinic_phone) <= 40),
  last_message_preview text check (char_length(last_message_preview) <= 4096),
  last_activity_at timestamptz(0),
  activity_sort timestamptz(0) not null generated always as (coalesce(last_activity_at, '-infinity')) stored,
  last_inbound_at timestamptz(0),
  last_outbound_at timestamptz(0),
  is_handled boolean not null default false,
  free_text_window_expires_at timestamptz(0),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (clinic_id, id),
  unique (clinic_id, patient_phone)
);
create index chat_conversation_activity on chat_conversation (clinic_id, activity_sort, id);
create index chat_conversation_handled on chat_conversation (clinic_id, is_handled, activity_sort, id);
create index chat_conversation_window on chat_conversation (clinic_id, free_text_window_expires_at);
create index chat_conversation_updated on chat_conversation (clinic_id, updated_at, id);

create table chat_message (
  clinic_id text collate "C" not null,
  id text collate "C" not null check (id ~ '^(in|out)_[0-9]{1,100}$'),
  conversation_id text collate "C",
  direction text not null check (direction in ('inbound', 'outbound')),
  type text not null check (type in ('text', 'image', 'document', 'audio', 'video', 'sticker', 'contacts')),
  status text not null check (status in ('received', 'queued', 'sent', 'delivered', 'read', 'failed')),
  from_phone text check (char_length(from_phone) <= 40),
  to_phone text check (char_length(to_phone) <= 40),
  patient_phone text collate "C" check (char_length(patient_phone) <= 40),
  patient_phone_local text check (char_length(patient_phone_local) <= 40),
  text text check (char_length(text) <= 4096),
  media_type text check (char_length(media_type) <= 127),
  media_file_id text collate "C",
  template text check (char_length(template) <= 512),
  replied_to_id text collate "C" check (char_length(replied_to_id) between 1 and 128),
  failure_reason text check (char_length(failure_reason) <= 500),
  sent_at timestamptz(0),
  delivered_at timestamptz(0),
  read_at timestamptz(0),
  failed_at timestamptz(0),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  created_date date not null,
  primary key (clinic_id, id),
  foreign key (clinic_id, conversation_id) references chat_conversation (clinic_id, id),
  foreign key (clinic_id, media_file_id) references file (clinic_id, id)
);
create index chat_message_created on chat_message (clinic_id, created_at, id);
create index chat_message_conversation on chat_message (clinic_id, conversation_id, created_at, id);
create index chat_message_phone on chat_message (clinic_id, patient_phone, created_at, id);
create index chat_message_status on chat_message (clinic_id, status, created_at, id);
create index chat_message_direction on chat_message (clinic_id, direction, created_at, id);
create index chat_message_type on chat_message (clinic_id, type, created_at, id);
create index chat_message_updated on chat_message (clinic_id, updated_at, id);

create table chat_template (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  name text collate "C" not null check (char_length(name) <= 512),
  language text not null check (char_length(language) <= 64),
  category text not null check (category in ('marketing', 'utility', 'authentication')),
  status text not null check (status in ('approved', 'pending', 'rejected', 'paused', 'disabled')),
  header_type text check (header_type in ('text', 'image', 'document', 'video')),
  header_text text check (char_length(header_text) <= 1024),
  body text not null check (char_length(body) <= 1024),
  footer text check (char_length(footer) <= 1024),
  variables json not null default '[]',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (clinic_id, id),
  unique (clinic_id, name, language)
);
create index chat_template_name on chat_template (clinic_id, name, id);

create table lead (
  clinic_id text collate "C" not null references clinic,
  id text collate "C" not null check (char_length(id) between 1 and 128),
  first_name text not null check (char_length(first_name) <= 120),
  last_name text check (char_length(last_name) <= 120),
  phone text check (char_length(phone) <= 40),
  phone_normal text collate "C",
  email text check (char_length(email) <= 254),
  email_folded text collate "C",
  source text not null check (source in ('social', 'website', 'phone', 'walk_in', 'referral', 'bot', 'other')),
  status text not null default 'new' check (status in ('new', 'in_progress', 'converted', 'lost')),
  attribution json,
  meta json,
  converted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  created_date date not null,
  primary key (clinic_id, id),
  check (phone is not null or email is not null)
);
create index lead_created on lead (clinic_id, created_at, id);

select protect_clinic_table(name::regclass) from unnest(array[
  'file', 'file_piece', 'call', 'chat_conversation', 'chat_message', 'chat_template', 'lead']) name;
