// The audit log as events of the Open Cybersecurity Schema Framework, one JSON object a line, for systems that collect events of
// security. A row is an API Activity with its canonical text in `raw_data`; what has no attribute there stands in `unmapped`. The other
// entries are Base Events.
import { isIP } from 'node:net'
import { safeJson } from '@clinic-data/contract/safe-text'
import { isOperator } from '../operator-audit.ts'
import { WATCH } from '../watch-audit.ts'
import { type Entry, type FirstEntry, type ProofEntry, type RowEntry, textOf } from './entries.ts'
import { type Format, isSealNumber, type Proof } from './format.ts'
import { isObject, objectIn } from './json-object.ts'
import { fieldsOf, type RowFields } from './row-fields.ts'

const SCHEMA = '1.8.0'
const PRODUCT = 'Clinic Data API'

export const ocsf: Format = {
  name: 'ocsf',
  heading: null,
  lineOf: (entry: Entry, first: FirstEntry) => {
    const event = entry.type === 'row' ? apiActivity(entry, first) : baseEvent(entry, first)
    return event === null ? null : safeJson(JSON.stringify(event))
  },
  proofIn,
}

const INFORMATIONAL = 1
const OTHER = 99

/** The last words of operations. Fixed with the form of the file: a later program must make the same line of the same row. */
const ACTIVITIES = new Map<string, readonly [id: number, name: string]>([
  ['create', [1, 'Create']],
  ['mint', [1, 'Create']],
  ['get', [2, 'Read']],
  ['list', [2, 'Read']],
  ['query', [2, 'Read']],
  ['find', [2, 'Read']],
  ['update', [3, 'Update']],
  ['change', [3, 'Update']],
  ['delete', [4, 'Delete']],
  ['remove', [4, 'Delete']],
])

function apiActivity({ seal, canonical }: RowEntry, first: FirstEntry) {
  const fields = fieldsOf(canonical)
  if (fields === null) return null
  const { id, stored_at, at, operation, surface, count, status, problem, required_scope, patient_ids } = fields
  const [activity_id, activity_name] = ACTIVITIES.get(operation.slice(operation.lastIndexOf('.') + 1)) ?? [
    OTHER,
    operation,
  ]
  const unmapped = { seal, surface, resource_count: count, required_scope, patients_unknown: patient_ids === null }
  const metadata = metadataOf(first, { uid: `${first.clinic_id}:${id}`, event_code: operation, sequence: id })
  const times = { original_time: at, logged_time: Date.parse(stored_at) }
  return {
    activity_id,
    activity_name,
    category_uid: 6,
    category_name: 'Application Activity',
    class_uid: 6003,
    class_name: 'API Activity',
    type_uid: 600300 + activity_id,
    severity_id: INFORMATIONAL,
    time: Date.parse(at),
    ...outcomeOf(status, problem),
    metadata: { ...metadata, ...times },
    actor: { user: userOf(fields) },
    api: apiOf(fields),
    src_endpoint: endpointOf(fields.address),
    resources: resourcesOf(fields),
    raw_data: canonical,
    unmapped,
  }
}

function outcomeOf(status: number, problem: string | null) {
  const outcome = status < 400 ? { status_id: 1, status: 'Success' } : { status_id: 2, status: 'Failure' }
  const detail = problem === null ? {} : { status_detail: problem }
  return { ...outcome, status_code: String(status), ...detail }
}

function metadataOf({ clinic_id, program }: FirstEntry, about: { uid: string; event_code: string; sequence?: number }) {
  const product = { name: PRODUCT, vendor_name: PRODUCT, version: program }
  return { version: SCHEMA, product, log_name: 'audit', tenant_uid: clinic_id, ...about }
}

/** Who works in the console is a person, who runs `clinicd` an operator, and the watch the service itself. All others are programs: keys, tokens, webhooks, apps. */
function userOf({ key_id, surface }: RowFields) {
  if (surface !== 'console') return { uid: key_id, type_id: 4, type: 'Service' }
  if (key_id === WATCH) return { uid: key_id, type_id: 3, type: 'System' }
  return isOperator(key_id) ? { uid: key_id, type_id: 2, type: 'Admin' } : { uid: key_id, type_id: 1, type: 'User' }
}

function apiOf({ operation, request_id, status, problem }: RowFields) {
  const error = problem === null ? {} : { error: problem }
  const request = request_id === '' ? {} : { request: { uid: request_id } }
  return { operation, service: { name: PRODUCT }, ...request, response: { code: status, ...error } }
}

/** An address of the network, or the name of an operator's machine or of a webhook's receiver. */
function endpointOf(address: string) {
  if (isIP(address) !== 0) return { ip: address }
  return { name: address === '' ? 'unknown' : address }
}

function resourcesOf({ resource_ids, patient_ids }: RowFields) {
  return [...resource_ids.map((uid) => ({ uid })), ...(patient_ids ?? []).map((uid) => ({ uid, type: 'patient' }))]
}

/** A seal bears the day of its rows, and the first and last entry the moment of the export. */
function baseEvent(entry: ProofEntry, first: FirstEntry) {
  const uid = `${first.clinic_id}:${nameOf(entry)}`
  return {
    activity_id: OTHER,
    activity_name: entry.type,
    category_uid: 0,
    category_name: 'Uncategorized',
    class_uid: 0,
    class_name: 'Base Event',
    type_uid: OTHER,
    severity_id: INFORMATIONAL,
    time: Date.parse(entry.type === 'seal' ? entry.seal.day : first.made_at),
    metadata: metadataOf(first, { uid, event_code: `audit_export.${entry.type}` }),
    raw_data: textOf(entry),
  }
}

function nameOf(entry: ProofEntry): string {
  if (entry.type === 'seal') return `seal:${entry.seal.number}`
  return entry.type === 'follow' ? `follow:${entry.before.number}` : entry.type
}

function proofIn(line: string): Proof | null {
  const event = objectIn(line)
  const text = event?.raw_data
  if (typeof text !== 'string') return null
  if (event?.class_uid === 0) return { text }
  const seal = isObject(event?.unmapped) ? event.unmapped.seal : undefined
  return isSealNumber(seal) ? { canonical: text, seal } : null
}
