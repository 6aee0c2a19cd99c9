// The form at rest of what an audit row names: one list of texts, sealed with the row. Nothing else knows this form.
//
//   ids of resources, '', ids of patients, '', the problem of a refusal, the scope that was missing
//
// No id is empty, so the empty texts separate. Rows of earlier versions end with the ids of resources.
import { type AuditRow, allOperations, MAX, type ProblemSlug } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'

/** A row names these. Null: a row of an earlier version, which does not tell. */
export interface Named {
  resource_ids: string[]
  patient_ids: string[] | null
  problem: string | null
  required_scope: string | null
}

const END = ''

/** The list to store. A gateway of an earlier version tells no patients, and then nobody knows them. */
export function storedIds({
  resource_ids,
  patient_ids,
  problem,
  required_scope,
}: Pick<AuditRow, 'resource_ids' | 'patient_ids' | 'problem' | 'required_scope'>): readonly string[] {
  if (patient_ids === undefined) return withoutEnd(resource_ids)
  const refusal = problem === undefined ? [] : [END, problem, ...(required_scope === undefined ? [] : [required_scope])]
  return [...withoutEnd(resource_ids), END, ...withoutEnd(patient_ids), ...refusal]
}

/** A gateway may have cut what was no id. */
function withoutEnd(ids: readonly string[]): readonly string[] {
  return ids.includes(END) ? ids.filter((id) => id !== END) : ids
}

export function namedIn(stored: readonly string[]): Named {
  const end = stored.indexOf(END)
  if (end < 0) return { resource_ids: [...stored], patient_ids: null, problem: null, required_scope: null }
  const patientsEnd = stored.indexOf(END, end + 1)
  const [problem = null, required_scope = null] = patientsEnd < 0 ? [] : stored.slice(patientsEnd + 1)
  return {
    resource_ids: stored.slice(0, end),
    patient_ids: stored.slice(end + 1, patientsEnd < 0 ? stored.length : patientsEnd),
    problem,
    required_scope,
  }
}

/** A row outside of the table names this record: as `namesRecord` in it. */
export function isRecordNamed({ resource_ids }: StoredNames, resource_id: string): boolean {
  return namedIn(resource_ids).resource_ids.includes(resource_id)
}

/** The patient that a search looks for. */
export interface SoughtPatient {
  readonly patient_id: string
  /** Ids that rows name in place of the patient, by the first word of their operations, behind `ingest.` where one begins so. */
  readonly records: Readonly<Record<string, readonly string[]>>
}

/** A row outside of the table names this patient: as `namesPatient` in it. */
export function isPatientNamed({ operation, status, resource_ids }: StoredNames, sought: SoughtPatient): boolean {
  return isPatientAmong({ operation, status, ...namedIn(resource_ids) }, sought)
}

/** The same of a row whose names were read. */
export function isPatientAmong(
  { operation, status, patient_ids, resource_ids }: Omit<StoredNames, 'resource_ids'> & NamedRecords,
  { patient_id, records }: SoughtPatient,
): boolean {
  const [word = ''] = operation.replace(SENT_IN, '').split('.', 1)
  const ids = Object.hasOwn(records, word) ? (records[word] ?? []) : []
  if (!(OF_ANY_KIND.includes(word) && patient_ids?.length) && ids.some((id) => resource_ids.includes(id))) return true
  if (patient_ids !== null) return patient_ids.includes(patient_id)
  const isOfPatients = OF_PATIENTS.includes(operation) || (status >= 400 && AT_PATIENTS.includes(operation))
  return isOfPatients && resource_ids.includes(patient_id)
}

/** The clinic's own system sends in the same records that programs read. */
const SENT_IN = 'ingest.'

/** The rows of deliveries and of the console name records of any kind. What names patients is theirs. */
const OF_ANY_KIND: readonly string[] = ['webhooks', 'console']

type NamedRecords = Pick<Named, 'resource_ids' | 'patient_ids'>

interface StoredNames {
  readonly operation: string
  readonly status: number
  readonly resource_ids: readonly string[]
}

/** Operations whose resources are patients: their rows have named them by the resources' ids since ever. */
const OF_PATIENTS: readonly string[] = allOperations.filter(({ patients }) => patients === 'itself').map(({ id }) => id)
/** Operations with a patient in their path, which rows of refusals have named since ever. */
const AT_PATIENTS: readonly string[] = allOperations
  .filter(({ ids }) => Object.values(ids).includes('patient'))
  .map(({ id }) => id)

/** Reads of leads: people who are no patients, or not yet. */
const OF_LEADS: readonly string[] = allOperations
  .filter(({ tag, effect }) => tag === 'Leads' && effect === 'none')
  .map(({ id }) => id)

/** No patient’s id begins so, and a column that keeps ids has no place for more. */
const LEAD = 'lead '

/** The people whom a row outside of the table names: as `peopleIn` in it. */
export function peopleNamed({ operation, resource_ids }: Omit<StoredNames, 'status'>): readonly string[] {
  const named = namedIn(resource_ids)
  if (!OF_LEADS.includes(operation)) return named.patient_ids ?? []
  return named.resource_ids.map((id) => `${LEAD}${id}`.slice(0, MAX.id))
}

/** Condition on a row of `audit`: it does not tell its patients. */
export const namesRecordsOnly = sql`array_position(resource_ids, '') is null`

const end = sql`array_position(resource_ids, '')`

/** The records that a row of `audit` names. */
export const recordsIn = sql`resource_ids[: coalesce(${end} - 1, cardinality(resource_ids))]`

/** Condition on a row of `audit`: it names this record. */
export function namesRecord(resource_id: string): Statement {
  return sql`${resource_id} = any(${recordsIn})`
}

const patientsEnd = sql`coalesce(array_position(resource_ids, '', ${end} + 1) - 1, cardinality(resource_ids))`

/** The patients that a row of `audit` names. Null for a row of an earlier version. */
export const patientsIn = sql`case when ${namesRecordsOnly} then null else resource_ids[${end} + 1 : ${patientsEnd}] end`

/** The people whom a row of `audit` names: its patients, or the leads of a read of leads. */
export const peopleIn = sql`case when operation = any(${OF_LEADS}::text[])
  then array(select left(${LEAD} || id, ${MAX.id}::integer) from unnest(${recordsIn}) named (id)) else ${patientsIn} end`

/** Condition on a row of `audit`: it names this patient, or a record of the person. Of an older row only what is certain. */
export function namesPatient({ patient_id, records }: SoughtPatient): Statement {
  const older = sql`operation = any(${OF_PATIENTS}::text[]) or status >= 400 and operation = any(${AT_PATIENTS}::text[])`
  // The first comparison is the cheap one.
  const itself = sql`(${patient_id} = any(resource_ids) and case when ${namesRecordsOnly} then ${older}
    else ${patient_id} = any(resource_ids[${end} + 1 : ${patientsEnd}]) end)`
  const asRecord = Object.entries(records).map(
    ([
      word,
      ids,
    ]) => sql`(split_part(replace(operation, ${SENT_IN}, ''), '.', 1) = ${word} ${OF_ANY_KIND.includes(word) ? sql`and coalesce(cardinality(${patientsIn}), 0) = 0` : sql``}
      and exists (select from unnest(${recordsIn}) named (id) where named.id = any(${ids}::text[])))`,
  )
  return sql`(${sql.join([itself, ...asRecord], sql` or `)})`
}

/** On a row of `audit`: whether it tells of a refusal for this reason, without a missing scope. */
export function refusedFor(problem: ProblemSlug): Statement {
  return sql`(status >= 400 and resource_ids[cardinality(resource_ids) - 1] = ${END} and resource_ids[cardinality(resource_ids)] = ${problem})`
}
