// Stores the audit rows of reads that came over the port, each before its answer leaves: in groups, each as soon as the one before is stored.
// A row that could not be stored is the gateway's to store, which tries again and refuses the request otherwise.
import { setImmediate } from 'node:timers/promises'
import type { AnyAnswer, AuditRow, Grant, Operation, ReadRecord } from '@clinic-data/contract'
import { auditedAs, auditedIn } from '@clinic-data/contract/audited'
import { PORT_LIMITS } from '@clinic-data/contract/port-limits'
import type { Log } from '@clinic-data/surface/log'

interface Group {
  readonly rows: AuditRow[]
  /** Whether its rows are stored. */
  readonly stored: Promise<boolean>
  readonly resolve: (isStored: boolean) => void
}

export class ReadTrail {
  readonly #store: (rows: readonly AuditRow[]) => Promise<void>
  readonly #log: Log
  readonly #waiting: Group[] = []
  #storing: Promise<void> | null = null

  /** @param store `Backend.audit`: it resolves once the rows are stored. */
  constructor(store: (rows: readonly AuditRow[]) => Promise<void>, log: Log) {
    this.#store = store
    this.#log = log
  }

  /** Whether the row is stored. It never rejects. */
  add(row: AuditRow): Promise<boolean> {
    let group = this.#waiting.at(-1)
    if (group === undefined || group.rows.length >= PORT_LIMITS.audit_rows) {
      group = newGroup()
      this.#waiting.push(group)
    }
    group.rows.push(row)
    this.#storing ??= this.#storeAll()
    return group.stored
  }

  async #storeAll(): Promise<void> {
    // The reads that PostgreSQL answered together add their rows in this turn of the event loop.
    await setImmediate()
    for (let group = this.#waiting.shift(); group !== undefined; group = this.#waiting.shift()) {
      const isStored = await this.#store(group.rows).then(
        () => true,
        (err) => {
          this.#log.warn({ err }, 'reads could not be recorded with their answers: the gateways record them')
          return false
        },
      )
      group.resolve(isStored)
    }
    this.#storing = null
  }
}

function newGroup(): Group {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  return { rows: [], stored: promise, resolve }
}

interface AnsweredRead {
  grant: Grant
  operation: Operation
  answer: AnyAnswer
  record: ReadRecord
  request_id: string
  /** Milliseconds that the read took here. */
  took_ms: number
}

/** The row that the gateway would store of the same answer. */
export function rowOf({ grant, operation, answer, record, request_id, took_ms }: AnsweredRead): AuditRow {
  const { surface, address, named, elapsed_ms } = record
  const { resource_ids, patient_ids, count } = auditedAs(operation, auditedIn(operation, answer), named)
  return {
    at: new Date().toISOString(),
    clinic_id: grant.clinic.clinic_id,
    key_id: grant.principal.key_id,
    operation: operation.id,
    surface,
    resource_ids,
    patient_ids: [...new Set([...record.patient_ids, ...patient_ids])],
    count,
    status: operation.status,
    request_id,
    address,
    ...(elapsed_ms === undefined ? {} : { duration_ms: elapsed_ms + Math.round(took_ms) }),
  }
}
