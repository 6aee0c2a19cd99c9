// Says of an archive of one person, to the person and to whoever helps them read it, how it is to be read.
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import type { Person } from './person.ts'

export interface Made {
  readonly clinic_name: string
  readonly version: string
  readonly now: Date
}

export function readme({ clinic, patient_id, withDoubtful }: Person, { clinic_name, version, now }: Made): string {
  const at = zonedInstant(now, clinic.time_zone, 0)
  return `What ${clinic_name} holds about you, and who received it
===============================================================

This archive was made on ${at} by the clinic's data service (clinicd ${version}), for the
patient with the number ${patient_id}. Times are in the time zone of the clinic, ${clinic.time_zone},
and end with its distance from UTC. Amounts are in the named currency, or in ${clinic.currency}.

The files that end with .json are texts. A browser opens them, and any editor.

  patient.json             Who you are: name, birth date, phones, e-mails, address, and what is still to be paid.
  appointments.json        Your appointments, with the clinic's notes.
  treatments.json          Your treatments. "removed_at" says that one was taken back.
  payments.json            Your payments, and which file in the folder "documents" is the page of each receipt or invoice.
                           "page": null says that the document was issued elsewhere, or is left out (below).
  documents.json           Receipts and invoices in your name for payments that now stand under somebody else.
  calls.json               Phone calls with you, with what was said where it was written down.
  chat_conversations.json  Your chats with the clinic.
  chat_messages.json       What was written in them.
  leads.json               How you first asked at the clinic.
  lead_activities.json     What was noted about that.
  events.json              What the service reported of all this to the clinic's other systems, as long as it keeps that.
  recipients.json          Who read, changed or was sent your data: each recipient, when first and last, how often, and by what.
  access_log.json          Each time that happened. "refused" and "failed" mean that nothing was given.
  recordings, media, documents
                           The sound of calls, pictures and files of chats, and accounting documents.
  about.json               How many entries each file has, and what was left out. It is the last file: an archive without it
                           is not whole.

Who is who in recipients.json and access_log.json: a "key" or a "connection" is a program of another company that the clinic
allowed in, and "integration" names the company; a "webhook" is an address that the clinic's events are sent to; a "token" is
a system of the clinic itself, which sends data in; an "administrator" is somebody who works for the clinic; the "operator" runs the
service. "unknown" has left since. Operations that begin with "console." were done on the clinic's own page, and those that begin
with "operator." by the operator. The log goes back as far as the clinic keeps it.
Where about.json says "access_log_names_records_only_until", some of what was read before that time may be missing.

What is not in it
-----------------

Data of other people. ${withDoubtful ? INCLUDED : LEFT_OUT}
Calls, chats and first requests of a phone or an e-mail that the clinic no longer has in your record. Tell the clinic your
former ones.
Copies that the service keeps for a while for its own work, and secrets of the service.
The clinic may hold more about you in other systems and on paper: this archive knows nothing of them.
`
}

const LEFT_OUT = `Where a phone number or an e-mail belongs to several patients of the clinic, its calls and chats are not in
it, because they may be another person's. Neither is a first request in another name, nor a document in another name.
about.json counts them under "left_out". Ask the clinic about them.`

const INCLUDED = `Where a phone number belongs to several patients of the clinic, its calls and chats are in it, because
the clinic has looked at them and said that they are yours. So are requests and documents in another name.`
