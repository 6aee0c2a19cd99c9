// Mutants of the erasure of one person: nothing of theirs is left, nothing of others goes, and nothing comes back.
import type { Mutant } from './mutant.ts'

const BY = 'packages/operator/test/patients-erase.test.ts'
const BY_SOURCES = 'packages/operator/test/patients-erase-sources.test.ts'
const BY_BACKUPS = 'packages/operator/test/patients-erase-backups.test.ts'
const BY_RULE = 'test/rules/erased-patients.test.ts'
const BY_PLANS = 'packages/operator/test/patients-erase-plans.test.ts'
const BY_AGAIN = 'packages/operator/test/patients-erase-again.test.ts'
const MOVED = 'a document in the patient’s name is erased also where its payment was corrected to another patient'
const SHARED_NUMBER =
  'a document on another patient’s payment stays and is counted where its number may be another person’s'
const KEPT =
  'a kept answer is without the patient whom it names, also where its payment was corrected to or from another'
const FOLDER = 'packages/backend/src/patient-erase'
const WHOLE = 'an erasure leaves no text and no byte of the patient in any table, and everything of anybody else'
const LEAD_BACK = 'what has come back after an erasure is counted, erased again, and stays so: lead, lead_activity'
const ANEW = 'a message of the platform that was stored anew after an erasure is erased with the next one'
const COME_BACK = 'an erased patient of whom something has come back is named by the doctor until it is erased again'
const PLAN_NAMED =
  'the name of an erased patient’s plan goes from the events of other patients too, and nothing else of theirs'
const PLAN_LEFT =
  'a plan that has lost its treatments is the patient’s whom its events name, unless another patient’s treatment uses it'
const AGAIN = 'what the clinic’s systems send again of an erased patient is not stored, and the answer says so'

const KINDS = 'no kind of record brings a text of an erased patient back, as an import of files stores it'
const REPORTS =
  'a report that the messaging platform repeats stores nothing of an erased patient: no media, no chat, no reason'
const SENT_AGAIN =
  'what is sent again of an erased patient is `erased` by every door, holds up no batch, and changes no sum'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'no event that is kept names an erased patient',
    file: `${FOLDER}/find-copies.ts`,
    from: '? withoutPerson(events[event.type].resource, event.data)',
    to: '? event.data',
    caught: { by: BY, test: WHOLE },
  },
  {
    breaks: 'no kept answer of a request names an erased patient',
    file: `${FOLDER}/find-copies.ts`,
    from: 'if (kind !== undefined) return withoutPerson(kind, answer)',
    to: 'if (kind !== undefined) return answer',
    caught: { by: BY, test: WHOLE },
  },
  {
    breaks: 'a kept answer of a payment that was corrected to another patient loses the first, who is erased',
    file: `${FOLDER}/find-copies.ts`,
    from: "patient?.id === patient_id ? 'Payment' : kinds.get(id)",
    to: 'kinds.get(id)',
    caught: { by: BY, test: KEPT },
  },
  {
    breaks: 'the recordings, media and pages of an erased patient are removed',
    file: `${FOLDER}/erase-rows.ts`,
    from: 'sql`delete from file where',
    to: 'sql`delete from file where false and',
    caught: { by: BY, test: WHOLE },
  },
  {
    breaks: 'the plan of another patient keeps its name',
    file: `${FOLDER}/find-rows.ts`,
    from: 'and not ${treatments(sql`removed_at is null and patient_id is distinct from ${patient_id} and not',
    to: 'or ${treatments(sql`removed_at is null and patient_id is distinct from ${patient_id} and not',
    caught: { by: BY, test: WHOLE },
  },
  {
    breaks: 'no event of another patient keeps the name of an erased patient’s plan',
    file: `${FOLDER}/find-copies.ts`,
    from: ': withoutPlan(event.data, plans)',
    to: ': event.data',
    caught: { by: BY_PLANS, test: PLAN_NAMED },
  },
  {
    breaks: 'a plan that has lost its treatments loses its name with the patient whom its events name',
    file: `${FOLDER}/find-rows.ts`,
    from: 'own.id = any(${fromEvents}::text[]) or ',
    to: '',
    caught: { by: BY_PLANS, test: PLAN_LEFT },
  },
  {
    breaks: 'an erasure waits for writes that are under way',
    file: `${FOLDER}/erase-patient.ts`,
    from: 'for (const id of ids) tx.send(',
    to: 'for (const id of ids.slice(ids.length)) tx.send(',
    caught: { by: BY, test: 'an erasure waits for a write that is under way, and what it stored is erased too' },
  },
  {
    breaks: 'nobody is erased while a message to them is being sent',
    file: `${FOLDER}/erase-patient.ts`,
    from: 'if (found.waiting > 0) throw',
    to: 'if (found.waiting > 1) throw',
    caught: { by: BY, test: 'nobody is erased while a message to them is being sent' },
  },
  {
    breaks: 'subscribers are told of an erasure',
    file: `${FOLDER}/erase-patient.ts`,
    from: 'found.isHeld ? [patient_id] : []',
    to: '[]',
    caught: {
      by: BY,
      test: 'subscribers are told by patient.updated, and older events keep their places without the person',
    },
  },
  {
    breaks: 'what was erased is not stored again',
    file: 'packages/records/src/storing/store-rows.ts',
    from: 'records.filter((record) => !erased.has(idOf(record)))',
    to: 'records.filter((record) => !erased.has(idOf(record)) || erased.size > 0)',
    caught: { by: BY_RULE, test: KINDS },
  },
  {
    breaks: 'a note on an erased call is not stored',
    file: 'packages/backend/src/intake/erased.ts',
    from: 'if (id !== undefined && !erased.has(place))',
    to: 'if (id !== undefined && erased.has(place))',
    caught: { by: BY_SOURCES, test: AGAIN },
  },
  {
    breaks: 'a report of an erased message makes no conversation with its phone',
    file: 'packages/changes/src/chat-messages.ts',
    from: 'living.map(({ patient_phone }) => patient_phone)',
    to: 'reports.map(({ patient_phone }) => patient_phone)',
    caught: { by: BY_RULE, test: REPORTS },
  },
  {
    breaks: 'what is recorded of an erased patient has no free text',
    file: 'packages/records/src/storing/erased-records.ts',
    from: "erased.has(record.patient_id ?? '') ? blank(record) : record",
    to: "erased.has(record.patient_id ?? '') ? record : record",
    caught: {
      by: BY_SOURCES,
      test: 'appointments and payments of an erased patient are still stored, without free text',
    },
  },
  {
    breaks: 'what names its erased patient no longer is still theirs',
    file: 'packages/records/src/storing/erased-records.ts',
    from: 'record.patient_id ?? patients.get(record.id) ?? null',
    to: 'record.patient_id',
    caught: {
      by: BY_SOURCES,
      test: 'what names its erased patient no longer is still theirs, and is stored without free text',
    },
  },
  {
    breaks: 'a payment of an erased patient that is recorded again is the same payment',
    file: 'packages/backend/src/operations/record-payment.ts',
    from: 'any(${formsOfExternalId(clinic, external_id)}::text[])',
    to: 'any(${[external_id]}::text[])',
    caught: { by: BY_RULE, test: SENT_AGAIN },
  },
  {
    breaks: 'a refund of an erased patient is compared without its text',
    file: 'packages/changes/src/refunds.ts',
    from: '(refund) => ({ ...refund, description: null })',
    to: '(refund) => refund',
    caught: { by: BY_RULE, test: SENT_AGAIN },
  },
  {
    breaks: 'a restore names whom to erase again',
    file: 'packages/operator/src/backup/erased-again.ts',
    from: "r.kind = 'patient' and r.id = patient.id)",
    to: "r.kind = 'patient')",
    caught: {
      by: BY_BACKUPS,
      test: 'a restore names whom to erase again by what it has restored, whatever the clocks said, and the doctor does before the start',
    },
  },
  {
    breaks: 'the doctor names whom a restore has brought back',
    file: 'packages/operator/src/backup/erased-again.ts',
    from: 'patients.filter(({ patient_id }) => present.has(patient_id))',
    to: 'patients.filter(({ patient_id }) => present.has(patient_id) && patients.length > 1)',
    caught: {
      by: BY_BACKUPS,
      test: 'an erased patient whom a restore has brought back is named by the doctor until they are erased again',
    },
  },
  {
    breaks: 'a document is found where its payment was corrected to another patient',
    file: 'packages/backend/src/patient-export/documents.ts',
    from: "or content -> 'customer' ->> 'id_number' = ",
    to: "or content -> 'customer' ->> 'id_numbers' = ",
    caught: { by: BY, test: MOVED },
  },
  {
    breaks: 'a document that has the name alone is found where its payment was corrected',
    file: 'packages/backend/src/patient-export/documents.ts',
    from: '(named_patient_id = ${patient_id} or content',
    to: '(false or content',
    caught: {
      by: BY,
      test: 'a document that names the patient by the name alone is erased, too, once its payment was corrected to another',
    },
  },
  {
    breaks: 'a number that two patients have says of no document on another’s payment whose it is',
    file: 'packages/backend/src/patient-export/documents.ts',
    from: 'and id_number = ${id_number}) as is_numbered',
    to: 'and false) as is_numbered',
    caught: { by: BY, test: SHARED_NUMBER },
  },
  {
    breaks: 'of two erasures at once one says that it erased',
    file: 'packages/operator/src/commands/patients-erase.ts',
    from: '    if (tellErased(which, erased, json)) return\n    tell(',
    to: '    tell(',
    caught: { by: BY, test: 'of two erasures of a patient at once one erases, and the other one says when' },
  },
  {
    breaks: 'a lead that has come back is erased with its timeline',
    file: `${FOLDER}/find-rows.ts`,
    from: 'has_come_back ? partsOf(first_name, last_name) : person.name',
    to: 'has_come_back ? person.name : partsOf(first_name, last_name)',
    caught: { by: BY_AGAIN, test: LEAD_BACK },
  },
  {
    breaks: 'a second erasure leaves what may be another person’s',
    file: `${FOLDER}/find-copies.ts`,
    from: "(wasErased && 'patients' in event.data",
    to: "(!wasErased && 'patients' in event.data",
    caught: {
      by: BY,
      test: 'without --yes nothing changes and everything is counted, and where nothing has come back a second erasure says when the first one was',
    },
  },
  {
    breaks: 'a message that was stored anew is known by its hash',
    file: `${FOLDER}/come-back.ts`,
    from: '(${wasErased} or ${isStoredAnew})',
    to: '(${wasErased} or false and ${isStoredAnew})',
    caught: { by: BY_AGAIN, test: ANEW },
  },
  {
    breaks: 'two messages never get one id of the platform',
    file: `${FOLDER}/erase-rows.ts`,
    from: 'form: (holders.get(form) ?? id) === id ? form : null',
    to: 'form',
    caught: { by: BY_AGAIN, test: ANEW },
  },
  {
    breaks: 'the doctor names a patient of whom a call has come back',
    file: 'packages/operator/src/backup/erased-again.ts',
    from: 'return patients.slice(0, 1)',
    to: 'return again',
    caught: { by: BY_BACKUPS, test: COME_BACK },
  },
]
