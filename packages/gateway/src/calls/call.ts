// A call of one operation, from any surface. Each step needs a value that only an earlier one can make: Principal → authorize →
// Grant → read input → handler → write output → audit.
import {
  type AnyAnswer,
  type AnyHandler,
  type AuditRow,
  type CallContext,
  Grant,
  handlerOf,
  type Operation,
  type Position,
  type Principal,
  type Problem,
  type ReadRecord,
  type StoredFile,
} from '@clinic-data/contract'
import { auditedAs, auditedIn } from '@clinic-data/contract/audited'
import { signFileLink } from '@clinic-data/contract/file-link'
import { safeFileName } from '@clinic-data/contract/file-name'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import { problemOf } from '../answers/problem-response.ts'
import { type Output, outputWriter } from '../answers/write-output.ts'
import { cursorsOf, filtersOf } from '../requests/operation-cursor.ts'
import type { Input } from '../requests/read-input.ts'
import { inSpan } from '../telemetry/spans.ts'
import { type Edge, limitedId } from './edge.ts'
import { mayWait, untilRows, type Waiting } from './until-rows.ts'

/** The caller, and the facts about the request that are known before it is read. */
export interface Asking extends Waiting {
  readonly principal: Principal
  readonly surface: AuditRow['surface']
  readonly request_id: string
  readonly address: string
  /** By the monotonic clock. */
  readonly startedAt: number
  /** The ids in the path, by their parameters, cut to the length of an id. Nothing may be left of one. */
  readonly named: Readonly<Record<string, string>>
}

/** The parts of an answer that the audit log records. */
export type AuditedOutcome = Pick<Output, 'status' | 'audited'>

/**
 * A surface's part of a call: with the grant, it reads the input in its own form, asks, and makes its own answer of the output. It
 * may ask again with other input. `rehearse` asks what a write would answer, and null is the answer of a backend that cannot tell.
 */
export type Perform<O extends AuditedOutcome> = (
  grant: Grant,
  ask: (input: Input) => Promise<Output>,
  rehearse: (input: Input) => Promise<Output | null>,
) => Promise<O>

export type Call = <O extends AuditedOutcome>(asking: Asking, perform: Perform<O>) => Promise<O>

/** Two seconds less than the gateway's deadline. A statement has one second less again. */
export const BACKEND_DEADLINE_MS = 8_000

/**
 * Compiles the call of one operation.
 *
 * @throws (the call) Problem, after its audit row is stored.
 */
export function callOf(edge: Edge, operation: Operation): Call {
  const writeOutput = operation.shape === 'none' ? null : outputWriter(operation)
  const handler = handlerOf(edge.backend, operation)
  const patientParameters = Object.keys(operation.ids).filter((name) => operation.ids[name] === 'patient')

  async function ask(asking: Asking, grant: Grant, input: Input, further: Further = {}): Promise<AnyAnswer | null> {
    const { work = handler, record } = further
    const id = limitedId(asking.principal)
    const entering = edge.concurrency.enter(id, asking.signal)
    if (entering) await entering
    try {
      const context: CallContext = { request_id: asking.request_id, deadline: asking.startedAt + BACKEND_DEADLINE_MS }
      if (record !== undefined) context.record = record()
      return await inSpan(operation.id, {}, () => work(grant, input, context))
    } finally {
      edge.concurrency.leave(id)
    }
  }

  async function outputOf(asking: Asking, grant: Grant, input: Input, patients: ReadonlySet<string>): Promise<Output> {
    const isRecording = mayRecord(operation, asking, input)
    const further: Further = isRecording ? { record: () => recordOf(operation, asking, patients) } : {}
    const answer = await untilRows(input, asking, (again) => ask(asking, grant, again, further))
    if (!answer || !writeOutput) {
      const audited = { resource_ids: idsIn(asking), patient_ids: [], count: 1 }
      return { status: operation.status, body: '', audited }
    }
    const written = writeOutput(
      answer,
      input.query.response_format === 'detailed',
      links(edge, operation, grant, input),
    )
    if (isRecording && answer.recorded) return { ...written, audited: null }
    return { ...written, audited: auditedAs(operation, auditedIn(operation, answer), idsIn(asking)) }
  }

  async function rehearsalOf(asking: Asking, grant: Grant, input: Input): Promise<Output | null> {
    const { rehearse } = edge.backend
    if (rehearse === undefined || !writeOutput) return null
    const answer = await ask(asking, grant, input, { work: rehearse })
    if (!answer) return null
    const written = writeOutput(answer, false, links(edge, operation, grant, input))
    return { ...written, audited: auditedIn(operation, answer) }
  }

  return <O extends AuditedOutcome>(asking: Asking, perform: Perform<O>) => {
    const { named } = asking
    // An empty list and a refusal also tell something of the patient who was asked for.
    const patients = new Set(patientParameters.flatMap((name) => named[name] || []))
    const attempt = async (): Promise<O> => {
      const grant = Grant.authorize(asking.principal, operation)
      const naming = <T>(work: (asking: Asking, grant: Grant, input: Input, patients: Set<string>) => Promise<T>) => {
        return (input: Input) => {
          for (const part of [input.query, input.body]) {
            const { patient_id } = { ...part }
            if (typeof patient_id === 'string') patients.add(patient_id)
          }
          return work(asking, grant, input, patients)
        }
      }
      return perform(grant, naming(outputOf), naming(rehearsalOf))
    }
    return attempt().then(
      async (outcome): Promise<O> => {
        const { status, audited } = outcome
        if (audited === null) return outcome
        const patient_ids = [...patients.union(new Set(audited.patient_ids))]
        await audit(edge, asking, operation, { status, ...audited, patient_ids })
        return outcome
      },
      async (error) => {
        const problem = problemOf(error)
        const ids = { resource_ids: idsIn(asking), patient_ids: [...patients], count: 0 }
        await audit(edge, asking, operation, { ...ids, ...refusalOf(problem) })
        throw problem
      },
    )
  }
}

interface Further {
  /** Default: the operation's handler. */
  readonly work?: AnyHandler
  /** Made when its turn has come, since it tells how long that took. */
  readonly record?: () => ReadRecord
}

/** Whether a backend may record the answer itself: it is read once, and is the answer of the request as a whole. */
function mayRecord({ effect }: Operation, { surface }: Asking, { query }: Input): boolean {
  return effect === 'none' && surface === 'rest' && !query.wait
}

function recordOf(operation: Operation, asking: Asking, patients: ReadonlySet<string>): ReadRecord {
  const { surface, address, startedAt } = asking
  return {
    surface,
    address,
    named: idsIn(asking),
    patient_ids: [...patients],
    ...(mayWait(operation) ? {} : { elapsed_ms: Math.round(performance.now() - startedAt) }),
  }
}

function idsIn({ named }: Asking): string[] {
  return Object.values(named).filter((id) => id !== '')
}

function links(edge: Edge, operation: Operation, grant: Grant, input: Input) {
  return {
    cursor: (position: Position) => cursorsOf(edge.cursorKeys, operation).seal(grant, filtersOf(input), position),
    address: (path: string) => new URL(edge.baseUrl).pathname.replace(/\/$/, '') + path,
    file: (file: StoredFile) => {
      const { clinic, principal } = grant
      const reference = { clinic_id: clinic.clinic_id, key_id: principal.key_id, file_id: file.file_id }
      const { url, expires_at } = signFileLink(edge.fileLinkKeys, edge.baseUrl, reference, edge.now())
      const file_name = safeFileName(file.file_name, file.content_type)
      return { ...file, file_name, url, expires_at: zonedInstant(new Date(expires_at), clinic.time_zone, 0) }
    },
  }
}

type Outcome = Pick<AuditRow, 'resource_ids' | 'patient_ids' | 'count' | 'status' | 'problem' | 'required_scope'>

function refusalOf({ status, slug, members: { required_scope } }: Problem): Pick<Outcome, 'status' | 'problem'> {
  return { status, problem: slug, ...(required_scope !== undefined && { required_scope }) }
}

/** Stores the audit row before the answer leaves. Without the row there is no answer. */
function audit(edge: Edge, asking: Asking, operation: Operation, outcome: Outcome): Promise<void> {
  const row = {
    at: new Date(edge.now()).toISOString(),
    clinic_id: asking.principal.clinic.clinic_id,
    key_id: asking.principal.key_id,
    operation: operation.id,
    surface: asking.surface,
    ...outcome,
    request_id: asking.request_id,
    address: asking.address,
    ...(mayWait(operation) ? {} : { duration_ms: Math.round(performance.now() - asking.startedAt) }),
  }
  return inSpan('audit', {}, () => edge.auditTrail.add(row))
}
