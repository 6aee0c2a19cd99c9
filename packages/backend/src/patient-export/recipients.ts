// Who read, changed or was sent one person's data, by the audit log: each row, and a summary by recipient.
import { listActivity } from '@clinic-data/administration/pages/activity'
import { allOperations } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import { recordsOf } from '@clinic-data/records/persons/records-of'
import type { Person } from './person.ts'

/** The most that a page of the log has. */
const ROWS_AT_ONCE = 200

type Page = Awaited<ReturnType<typeof listActivity>>
type ActivityRow = Page['data'][number]
type Actor = ActivityRow['who']

interface Recipient {
  readonly who: NamedActor
  first_at: string
  readonly last_at: string
  /** How often the person's data was read, changed or sent. */
  times: number
  /** How often it was asked for in vain. */
  refused: number
  readonly operations: Map<string, number>
}

type NamedActor = Actor & { readonly integration: string | null }

export class Recipients {
  readonly #database: Database
  readonly #person: Person
  readonly #now: Date
  readonly #found = new Map<string, Recipient>()
  /** Rows up to here name records only: some that are missing may be about the person. */
  recordsOnlyUntil: string | null = null

  constructor(database: Database, person: Person, now: Date) {
    this.#database = database
    this.#person = person
    this.#now = now
  }

  /** The rows, latest first. Each row names other patients and their records too: here it names nobody. */
  async *rows(): AsyncGenerator<object> {
    const { clinic, patient_id, withDoubtful } = this.#person
    const records = await this.#database.write(clinic, (tx) => recordsOf(tx, clinic, patient_id, withDoubtful))
    const integrations = await this.#integrations()
    let cursor: string | null = null
    do {
      const search = { patient_id, records, limit: ROWS_AT_ONCE, ...(cursor === null ? {} : { cursor }) }
      const { data, meta }: Page = await listActivity(this.#database, clinic, search, this.#now)
      for (const row of data) {
        const who = namedActor(row.who, integrations.get(row.who.id) ?? null)
        this.#count(row, who)
        const { at, operation, surface, problem, request_id } = row
        yield { at, who, operation, surface, outcome: outcomeOf(row), problem, request_id }
      }
      cursor = meta.next_cursor
      this.recordsOnlyUntil ??= meta.records_only_until
    } while (cursor !== null)
  }

  /** By recipient, the latest first, of the rows that were read. */
  async *summary(): AsyncGenerator<object> {
    for (const { operations, ...recipient } of this.#found.values()) {
      const named = [...operations].map(([operation, times]) => ({ operation, does: summaryOf(operation), times }))
      yield { ...recipient, operations: named }
    }
  }

  #count(row: ActivityRow, who: NamedActor): void {
    const found = this.#found.get(who.id) ?? {
      who,
      first_at: row.at,
      last_at: row.at,
      times: 0,
      refused: 0,
      operations: new Map(),
    }
    this.#found.set(who.id, found)
    found.first_at = row.at
    if (outcomeOf(row) === 'done') found.times++
    else found.refused++
    found.operations.set(row.operation, (found.operations.get(row.operation) ?? 0) + 1)
  }

  /** The names of the integrations by the ids of their keys, connections and webhooks. */
  async #integrations(): Promise<ReadonlyMap<string, string>> {
    const { clinic } = this.#person
    const { clinic_id } = clinic
    const rows = await this.#database.read<{ id: string; name: string }>(
      clinic,
      sql`select one.id, integration.name from integration join (
          select id, integration_id from api_key where clinic_id = ${clinic_id}
          union all select id, integration_id from subscription where clinic_id = ${clinic_id}) one on one.integration_id = integration.id
        where integration.clinic_id = ${clinic_id}`,
    )
    return new Map(rows.map(({ id, name }) => [id, name]))
  }
}

/** A webhook has had the data as soon as it was sent, whatever it answered. */
function outcomeOf({ surface, status }: ActivityRow): 'done' | 'refused' | 'failed' {
  if (status < 400 || surface === 'webhook') return 'done'
  return status < 500 ? 'refused' : 'failed'
}

/** A webhook without a description is named by its address, whose path may hold a secret of the receiver. */
function namedActor(who: Actor, integration: string | null): NamedActor {
  const { name } = who
  const shown = who.kind === 'webhook' && name !== null && URL.canParse(name) ? new URL(name).host : name
  return { ...who, name: shown, integration }
}

function summaryOf(operation: string): string | null {
  return allOperations.find(({ id }) => id === operation)?.summary ?? null
}
