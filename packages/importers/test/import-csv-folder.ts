// CSV files of one clinic that has a record of every kind.
import type { Files } from './folder-with.ts'

/** One file for each kind of record, with every column and every form of value. */
export const everything = {
  'branches.csv': `id,name,phone,address.street,address.city,address.postal_code,address.country,color
north,North,03-555 0100,1 Sample Street,Haifa,3100001,IL,#2a9d8f
south,"South, ""new""",,,,,,
`,
  'providers.csv': `id,name,type,color
dr1,Dr. Sample One,dentist,#111111
dr2,Dr. Sample Two,hygienist,
`,
  'working_hours.csv': `provider_id,branch_id,weekday,starts_at,ends_at
dr1,north,0,08:00,12:00
dr1,north,0,13:00,17:00
dr1,south,1,08:00,24:00
dr2,north,0,09:00,15:30
`,
  'time_off.csv': `id,provider_id,branch_id,start,end
off1,dr1,,2026-08-01,2026-08-08
off2,,,2026-09-12T00:00:00+03:00,2026-09-14T00:00:00+03:00
`,
  'appointment_types.csv': `id,name,duration_minutes,color
checkup,Check-up,30,
`,
  'appointment_statuses.csv': `id,name,color,enabled,kind
booked,Booked,#888888,true,booked
gone,Cancelled,#ff0000,false,cancelled
`,
  'treatment_categories.csv': `id,name
hygiene,Hygiene
`,
  'catalog_treatments.csv': `id,name,code,price,color,category_id
scaling,Scaling,D1110,350.5,,hygiene
talk,Talk,,,,
`,
  'billing_accounts.csv': `id,business_name,business_id,document_type
main,Sample Dental Ltd,514000000,tax_invoice_receipt
`,
  'patient_statuses.csv': `id,name,color
active,Active,
`,
  'patients.csv': `id,first_name,last_name,phone,email,gender,birth_date,status_id,address.street,address.city,address.postal_code,address.country,id_number,created_at
p1,Testa,Probe,050-000 0001,testa@example.com,female,1990-02-28,active,1 Sample,Haifa,,IL,000000018,2024-01-02
p2,"Second
Name",,,,,,,,,,,,2024-01-03T10:00:00+02:00
p3,Third,Sample,,,,,,,,,,,
`,
  'patient_contacts.csv': `patient_id,type,value,label,is_primary
p1,phone,050-000 0002,work,false
p1,email,other@example.com,,false
p3,phone,+12025550123,mobile,true
`,
  'appointments.csv': `id,patient_id,branch_id,type_id,status_id,provider_ids,start,end,note,cancelled_at,created_at
a1,p1,north,checkup,booked,dr1;dr2,2026-08-10T09:00:00+03:00,2026-08-10T09:30:00+03:00,"Sent
by post",,2026-07-01
a2,,,,gone,,,,,2026-07-02T10:00:00Z,2026-07-01
`,
  'treatment_plans.csv': 'id,name\nplan1,Whitening\n',
  'treatments.csv': `id,patient_id,catalog_treatment_id,provider_id,branch_id,appointment_id,plan_id,quantity,price,discount,performed_at,created_at
t1,p1,scaling,dr2,north,a1,plan1,2,350.55,0.05,2026-08-10T09:05:00+03:00,2026-08-10
`,
  'payments.csv': `id,patient_id,billing_account_id,amount,currency,method_type,is_refund,refunded_payment_id,status,description,external_id,paid_at,created_at
back1,p1,main,100,ILS,cash,true,pay1,recorded,,,2026-08-12,2026-08-12
pay1,p1,main,350.5,ILS,credit_card,false,,recorded,Scaling,pos-17,2026-08-10T09:40:00+03:00,2026-08-10
`,
  'payment_documents.csv': `payment_id,id,billing_account_id,type,number,issued_at,allocation_number
back1,doc2,main,credit_invoice,1,2026-08-12,
pay1,doc1,main,tax_invoice_receipt,1001,2026-08-10T09:40:00+03:00,A7
`,
  'calls.csv': `id,direction,status,from_phone,to_phone,handled_by.id,handled_by.name,branch_id,started_at,answered_at,ended_at,duration_seconds,ring_seconds,note,is_recorded,recording_file_id,recording_seconds,transcript_status,transcript_language,transcript_summary,created_at
c1,inbound,answered,0500000001,035550100,agent1,Desk,north,2026-08-09T10:00:00+03:00,2026-08-09T10:00:05+03:00,2026-08-09T10:01:05+03:00,60,5,,true,,,completed,he,A question,2026-08-09
c2,inbound,missed,,035550100,,,,2026-08-09T11:00:00+03:00,,,0,20,,false,,,,,,2026-08-09
`,
  'call_transcript_segments.csv': `call_id,speaker,start_seconds,end_seconds,text
c1,agent,0,1.5,"Hello, who is it?"
c1,patient,1.5,3,Testa.
`,
  'chat_templates.csv': `id,name,language,category,status,header.type,header.text,body,footer,created_at
tpl1,reminder,he,utility,approved,text,Tomorrow,Dear {{name}},,2026-01-01
`,
  'chat_template_variables.csv': 'chat_template_id,name,example\ntpl1,name,Testa\n',
  'chat_conversations.csv': `id,display_name,patient_phone,clinic_phone,last_message_preview,last_activity_at,last_inbound_at,last_outbound_at,is_handled,free_text_window_expires_at,created_at
conv1,Testa,+972500000001,035550100,Hi,2026-08-09T10:00:00Z,2026-08-09T10:00:00Z,,false,2026-08-10T10:00:00Z,2026-08-09
`,
  'chat_messages.csv': `id,conversation_id,direction,type,from_phone,to_phone,text,media.type,media.file_id,template,replied_to_id,failure_reason,sent_at,delivered_at,read_at,failed_at,created_at
in_1,conv1,inbound,image,+972500000001,035550100,Hi,image/jpeg,,,,,,,,,2026-08-09T10:00:00Z
`,
  'leads.csv': `id,first_name,last_name,phone,email,source,status,attribution,meta,converted_at,created_at
l1,Lee,,after five,lee@example.com,social,new,"{""utm_source"":""news"",""clicks"":3,""gclid"":null}","{""form"":{""fields"":[1,null]}}",,2026-08-01
`,
} satisfies Files
