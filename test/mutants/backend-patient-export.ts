// Mutants of the export of one person: all of theirs, nothing of others, and who received it.
import type { Mutant } from './mutant.ts'

const BY = 'packages/operator/test/patients-export.test.ts'
const BY_RECIPIENTS = 'packages/operator/test/patients-export-recipients.test.ts'
const FOLDER = 'packages/backend/src/patient-export'
const WHOLE = 'an export holds every text and every byte of one patient, and nothing of another'
const PAGES = 'an export of more rows of the log and more events than a page has them all'
const WHO = 'the recipients are whoever read or was sent the data, with their integration, and no row names another'
const DOUBT = 'what may be another person’s is in an export only when somebody says so, and still names nobody else'
const RECORD =
  'an export is on record before its first byte, also when it breaks off, and what is left of it is no archive'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'calls and chats of a phone that two patients have are in no export',
    file: `${FOLDER}/person.ts`,
    from: "person.withDoubtful ? 'either' : 'theirs'",
    to: "'either'",
    caught: { by: BY, test: WHOLE },
  },
  {
    breaks: 'a phone counts as shared by whoever else has it, and not by the person',
    file: 'packages/records/src/persons/whose.ts',
    from: ' and other.patient_id <> ${patient_id})`',
    to: ')`',
    caught: { by: BY, test: WHOLE },
  },
  {
    breaks: 'an export is of one patient’s appointments',
    file: `${FOLDER}/visits.ts`,
    from: "    table: 'appointment',\n    owned: sql`own.patient_id = ${patient_id}`,",
    to: "    table: 'appointment',\n    owned: sql`own.patient_id >= ${patient_id}`,",
    caught: { by: BY, test: WHOLE },
  },
  {
    breaks: 'a refund by another patient is not shown with a payment',
    file: `${FOLDER}/only-theirs.ts`,
    from: 'refunds: refunds.filter((refund) => payments.has(refund.id))',
    to: 'refunds',
    caught: { by: BY, test: WHOLE },
  },
  {
    breaks: 'a treatment does not name the appointment of another patient',
    file: `${FOLDER}/only-theirs.ts`,
    from: 'appointment !== null && appointments.has(appointment.id) ? appointment : null',
    to: 'appointment',
    caught: { by: BY, test: WHOLE },
  },
  {
    breaks: 'the other patients of a phone are named in no call',
    file: `${FOLDER}/only-theirs.ts`,
    from: 'resource.patients.filter(({ id }) => id === patient_id)',
    to: 'resource.patients.filter(({ id }) => id !== undefined && patient_id !== undefined)',
    caught: { by: BY_RECIPIENTS, test: DOUBT },
  },
  {
    breaks: 'a lead in another name is nobody’s',
    file: `${FOLDER}/leads.ts`,
    from: 'return row.is_alone && isNameOf(person, partsOf(row.first_name, row.last_name))',
    to: 'return row.is_alone',
    caught: { by: BY, test: WHOLE },
  },
  {
    breaks: 'no name is nobody’s',
    file: 'packages/records/src/persons/whose.ts',
    from: '  if (name.size === 0 || other.size === 0) return false\n',
    to: '',
    caught: {
      by: 'packages/backend/test/patient-export-names.test.ts',
      test: 'a relative’s name, another script and no name at all are nobody’s',
    },
  },
  {
    breaks: 'an event of a call whose phone has got a second patient is left out',
    file: `${FOLDER}/events.ts`,
    from: 'patients.length > 1 || shared.has(event.data.id)',
    to: 'patients.length > 1',
    caught: { by: BY, test: WHOLE },
  },
  {
    breaks: 'an event is of the patient whom it names whole',
    file: `${FOLDER}/events.ts`,
    from: 'if (event === null || !patients.includes(patient_id)) continue',
    to: 'if (event === null) continue',
    caught: { by: BY, test: WHOLE },
  },
  {
    breaks: 'a document that names another person is left out',
    file: `${FOLDER}/payments.ts`,
    from: 'const isTheirs = person.withDoubtful || theirs.has(document.id)',
    to: 'const isTheirs = person.withDoubtful || theirs.has(document.id) || document.id !== ""',
    caught: { by: BY, test: 'a document is the page that the service serves, and one in another name is left out' },
  },
  {
    breaks: 'a document in the person’s name is exported where its payment was corrected to another patient',
    file: `${FOLDER}/payments.ts`,
    from: 'if (isTheirs || person.withDoubtful) yield',
    to: 'if (person.withDoubtful) yield',
    caught: {
      by: BY,
      test: 'a document in the patient’s name is in the export though its payment was corrected to another patient',
    },
  },
  {
    breaks: 'an export goes on behind the last row of a page',
    file: `${FOLDER}/own-rows.ts`,
    from: 'if (last === undefined || page.length < ROWS_AT_ONCE) return',
    to: 'if (last === undefined || page.length <= ROWS_AT_ONCE) return',
    caught: { by: BY_RECIPIENTS, test: PAGES },
  },
  {
    breaks: 'the list of recipients goes on behind a page of the log',
    file: `${FOLDER}/recipients.ts`,
    from: 'cursor = meta.next_cursor',
    to: 'cursor = data.length > 0 ? null : meta.next_cursor',
    caught: { by: BY_RECIPIENTS, test: PAGES },
  },
  {
    breaks: 'the address of a webhook does not leave with its path',
    file: `${FOLDER}/recipients.ts`,
    from: 'new URL(name).host',
    to: 'new URL(name).href',
    caught: { by: BY_RECIPIENTS, test: WHO },
  },
  {
    breaks: 'the export of a person is on record',
    file: `${FOLDER}/export-patient.ts`,
    from: '  await audit()\n',
    to: '',
    caught: { by: BY_RECIPIENTS, test: RECORD },
  },
  {
    breaks: 'a table that refers to a patient is exported or says why not',
    file: `${FOLDER}/patient-tables.ts`,
    from: "leftOut: 'chat_messages.json has each message that waits'",
    to: 'leftOut: OF_NOBODY',
    caught: {
      by: 'packages/backend/test/patient-tables.test.ts',
      test: 'a table that refers to a patient, by however many steps, is exported or says why its rows are no loss',
    },
  },
  {
    breaks: 'an archive fails where a file fails',
    file: 'packages/operator/src/zip.ts',
    from: 'const added = addAll(zip, files, mtime, stopped.signal).catch(fail)',
    to: 'const added = addAll(zip, files, mtime, stopped.signal).catch(() => zip.end())',
    caught: {
      by: 'packages/operator/test/zip.test.ts',
      test: 'an archive of a file that fails, or has other bytes than its size says, fails and cannot be opened',
    },
  },
]
