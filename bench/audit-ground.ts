// The ground of `audit.ts`: an audit log of many past days in a database of its own, with the mixed day of `plan.ts`, sealed minute by minute
// as it would be.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newHead, rowsBehind, rowsHash, type Seal, type SealedRow, sealHash } from '@clinic-data/audit/audit-chain'
import { storedIds } from '@clinic-data/audit/stored-ids'
import { newId } from '@clinic-data/contract/new-id'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { type Database, sql, utcSession } from '@clinic-data/database'
import { seeded } from '@clinic-data/testing/test-clock'
import type { Kind } from './measured-costs.ts'
import { USUAL } from './plan.ts'

const DAY_MS = 86_400_000
const OPENS_MS = 6 * 3_600_000
const OPEN_MS = 10 * 3_600_000

const PATIENTS = USUAL.patients
const LISTED = 25
/** Changed records arrive in batches, and a batch has one row. */
const BATCH = 10
const VISITS_A_DAY = 62
/** A list shows visits from this many days before its own to this many after. */
const LISTED_DAYS = { before: 7, after: 30 }
/** Patients were registered within so many days before the log, and visits booked before their day. */
const REGISTERED_DAYS = 1_000
const BOOKED_DAYS = 30
const RECEIVER = 'hooks.partner.example'

/** `demo`: short, as the demo clinic's. `new`: as this program makes them. */
export type IdForm = 'demo' | 'new'

/** A row before it is stored. */
export interface Draft {
  at: Date
  key_id: string
  operation: string
  surface: 'rest' | 'mcp' | 'ingest' | 'webhook'
  resource_ids: string[]
  patient_ids: string[]
  problem?: 'not-found'
  count: number
  status: number
  request_id: string
  address: string
  duration_ms: number
}

/** Each key does its own kinds of work, as integrations do. */
export interface Keys {
  readers: readonly string[]
  feed: string
  agent: string
  site: string
  exchange: string
  subscriptions: readonly string[]
}

const SHARES: readonly (readonly [Kind, number])[] = Object.entries(USUAL.day).map(([kind, count]) => [
  kind as Kind,
  kind === 'changed records' ? count / BATCH : count,
])
export const ROWS_A_DAY = SHARES.reduce((sum, [, count]) => sum + count, 0)

/** What only one row names, of the first day. */
export const RARE = { key_id: 'key_rare', operation: 'calls.get', patient_id: 'patient-rare', record_id: 'call-rare' }

/** The requests of a clinic, day after day. The same at each run, but for the random part of ids. */
export class Traffic {
  readonly #keys: Keys
  readonly #random = seeded(1)
  readonly #patients: readonly string[]
  readonly #visits: readonly { id: string; patient_id: string }[]

  constructor(keys: Keys, form: IdForm, firstDayMs: number, days: number) {
    this.#keys = keys
    // An id that this program makes holds when it was made.
    const before = (ms: number, days: number) => new Date(ms - this.#random() * days * DAY_MS)
    this.#patients = Array.from({ length: PATIENTS }, (_, n) =>
      form === 'demo' ? `p${10_000 + n}` : newId('pat', before(firstDayMs, REGISTERED_DAYS)),
    )
    const visitDays = days + LISTED_DAYS.before + LISTED_DAYS.after
    this.#visits = Array.from({ length: visitDays * VISITS_A_DAY }, (_, n) => {
      const day = new Date(firstDayMs + (Math.floor(n / VISITS_A_DAY) - LISTED_DAYS.before) * DAY_MS)
      const place = String(n % VISITS_A_DAY).padStart(6, '0')
      const id =
        form === 'demo'
          ? `a${day.toISOString().slice(0, 10).replaceAll('-', '')}${place}`
          : newId('apt', before(day.getTime(), BOOKED_DAYS))
      return { id, patient_id: this.#oneOf(this.#patients) }
    })
  }

  get usualPatient(): string {
    return this.#patients[77] ?? ''
  }

  /** A visit in the middle of the log. */
  get usualVisit(): string {
    return this.#visits[Math.floor(this.#visits.length / 2)]?.id ?? ''
  }

  /** A request of this day, which is counted from the first one. */
  draft(day: number, at: Date): Draft {
    let place = this.#random() * ROWS_A_DAY
    const kind = SHARES.find(([, count]) => {
      place -= count
      return place < 0
    })?.[0]
    const draft = this.#of(kind ?? 'patients by id', day, at)
    // One request in 50 is refused, one in 1,000 fails.
    const luck = this.#random()
    const isAnswer = draft.surface === 'rest' || draft.surface === 'mcp'
    if (!isAnswer || luck >= 0.02) return draft
    const nothing: Draft = { ...draft, resource_ids: draft.resource_ids.slice(0, 1), patient_ids: [], count: 0 }
    return luck < 0.001 ? { ...nothing, status: 500 } : { ...nothing, status: 404, problem: 'not-found' }
  }

  #of(kind: Kind, day: number, at: Date): Draft {
    const { readers, feed, agent, site, exchange, subscriptions } = this.#keys
    const asked = { at, surface: 'rest', status: 200, address: '192.0.2.10', request_id: newId('req', at) } as const
    const took = { duration_ms: 2 + Math.floor(this.#random() ** 4 * 200) }
    const reader = this.#oneOf(readers)
    switch (kind) {
      case 'patients by id': {
        const ids = [this.#oneOf(this.#patients)]
        return { ...asked, ...took, key_id: reader, operation: 'patients.get', ...naming(ids, ids) }
      }
      case 'lists of 25':
        return { ...asked, ...took, key_id: reader, operation: 'appointments.list', ...this.#visitsOf(day, LISTED) }
      case 'searches by name': {
        const from = Math.floor(this.#random() * (PATIENTS - LISTED))
        const ids = this.#patients.slice(from, from + LISTED)
        return { ...asked, ...took, key_id: reader, operation: 'patients.list', ...naming(ids, ids) }
      }
      case 'pages of the event feed':
        return { ...asked, ...took, key_id: feed, operation: 'events.list', ...naming([], []) }
      case 'tool calls': {
        const call = { ...asked, ...took, surface: 'mcp', address: '192.0.2.11' } as const
        return { ...call, key_id: agent, operation: 'appointments.list', ...this.#visitsOf(day, LISTED) }
      }
      case 'queries of a month':
        return { ...asked, ...took, key_id: agent, operation: 'query.run', ...naming([], []) }
      case 'leads':
        return { ...asked, ...took, key_id: site, operation: 'leads.create', ...naming([newId('lead', at)], []) }
      case 'payments': {
        const names = naming([newId('pay', at)], [this.#oneOf(this.#patients)])
        return { ...asked, ...took, key_id: site, operation: 'payments.create', ...names }
      }
      case 'changed records': {
        const sent = { ...asked, ...took, surface: 'ingest', address: '10.0.0.7' } as const
        return { ...sent, key_id: exchange, operation: 'ingest.appointments.store', ...this.#visitsOf(day, BATCH) }
      }
      case 'deliveries': {
        const sent = { ...asked, ...took, surface: 'webhook', address: RECEIVER, request_id: newId('evt', at) } as const
        return { ...sent, key_id: this.#oneOf(subscriptions), operation: 'webhooks.deliver', ...this.#visitsOf(day, 1) }
      }
    }
  }

  /** Visits that follow one another. */
  #visitsOf(day: number, count: number) {
    const days = LISTED_DAYS.before + LISTED_DAYS.after
    const from = Math.floor((day + this.#random() * days) * VISITS_A_DAY)
    const visits = this.#visits.slice(from, from + count)
    return naming(
      visits.map(({ id }) => id),
      [...new Set(visits.map(({ patient_id }) => patient_id))],
    )
  }

  #oneOf(all: readonly string[]): string {
    return all[Math.floor(this.#random() * all.length)] ?? ''
  }
}

function naming(resource_ids: string[], patient_ids: string[]) {
  return { resource_ids, patient_ids, count: resource_ids.length }
}

export interface Day {
  number: number
  /** When it begins, in UTC. */
  startMs: number
  rows: number
}

interface Filling {
  clinic_id: string
  traffic: Traffic
  keys: SigningKeys
  /** The server reads the rows from here. */
  folder: string
}

/** Makes a day's partition and its rows, and seals them. @returns the end of the chain */
export async function fillDay(owner: Database, filling: Filling, { number, startMs, rows }: Day, end: ChainEnd) {
  const { clinic_id, traffic, keys, folder } = filling
  const [day = '', next] = [startMs, startMs + DAY_MS].map((ms) => new Date(ms).toISOString().slice(0, 10))
  const partition = `audit_${day.replaceAll('-', '')}`
  const lines = Array.from({ length: rows }, (_, n) => {
    const at = new Date(startMs + OPENS_MS + (n / rows) * OPEN_MS)
    return lineOf(clinic_id, number === 0 && n === 0 ? rareDraft(at) : traffic.draft(number, at))
  })
  const file = join(folder, 'audit-rows')
  await writeFile(file, lines.join(''), { mode: 0o644 })
  await owner.maintain(async (tx) => {
    await tx.script(
      `create table ${partition} partition of audit for values from ('${day} 00:00Z') to ('${next} 00:00Z')`,
    )
    await tx.script(`copy audit (clinic_id, stored_at, at, key_id, operation, surface, resource_ids, count, status,
      request_id, address, duration_ms) from '${file}'`)
  })
  await rm(file)
  await owner.query(sql`analyze ${sql.identifier(partition)}`)
  return sealDay(owner, { clinic_id, keys }, day, rows, end)
}

/** Where a clinic's chain ends. */
export type ChainEnd = Pick<Seal, 'number' | 'last_id' | 'hash'>

/**
 * A seal a minute, as `AuditSealer` makes them. Its sums by hour are left out: nothing here asks for them, and they take several times as
 * long as the rows.
 */
async function sealDay(
  owner: Database,
  { clinic_id, keys }: Pick<Filling, 'clinic_id' | 'keys'>,
  day: string,
  count: number,
  end: ChainEnd,
): Promise<ChainEnd> {
  const statement = rowsBehind(clinic_id, end.last_id, Number.MAX_SAFE_INTEGER, count)
  const rows = await owner.read<SealedRow>(utcSession(clinic_id), statement)
  const aMinute = Math.ceil(count / (OPEN_MS / 60_000))
  const seals: (string | number)[][] = []
  let before = end
  for (let at = 0; at < rows.length; at += aMinute) {
    const own = rows.slice(at, at + aMinute)
    const last_id = own.at(-1)?.id ?? 0
    const seal = { number: before.number + 1, last_id, day, row_count: own.length, rows_hash: rowsHash(own) }
    const hash = sealHash(clinic_id, before.hash, seal)
    seals.push([clinic_id, seal.number, last_id, day, seal.row_count, seal.rows_hash, hash, `${day}T23:00:00Z`])
    before = { number: seal.number, last_id, hash }
  }
  for (const some of sql.chunkRows(seals))
    await owner.query(sql`insert into audit_seal
      (clinic_id, number, last_id, day, row_count, rows_hash, hash, sealed_at) values ${sql.values(some)}`)
  const { number, key_id, mac } = newHead(keys, clinic_id, before)
  await owner.query(sql`insert into audit_head (clinic_id, number, key_id, mac) values (${clinic_id}, ${number}, ${key_id}, ${mac})
    on conflict (clinic_id) do update set number = excluded.number, key_id = excluded.key_id, mac = excluded.mac`)
  return before
}

function rareDraft(at: Date): Draft {
  const { key_id, operation, patient_id, record_id } = RARE
  const asked = { at, surface: 'rest', status: 200, address: '192.0.2.12', request_id: newId('req', at) } as const
  return { ...asked, key_id, operation, ...naming([record_id], [patient_id]), duration_ms: 9 }
}

/** In the text form of `copy`. No value has a character that it would escape. */
function lineOf(clinic_id: string, draft: Draft): string {
  const { at, resource_ids, patient_ids, problem, duration_ms, ...row } = draft
  const named = { resource_ids, patient_ids, ...(problem === undefined ? {} : { problem }) }
  // Rows of one hour are stored at different microseconds, as separate batches are.
  const stored = `${new Date(at.getTime() + duration_ms).toISOString().slice(0, -1)}${String((at.getTime() * 7) % 1000).padStart(3, '0')}Z`
  const ids = `{${storedIds(named)
    .map((id) => `"${id}"`)
    .join(',')}}`
  const { key_id, operation, surface, count, status, request_id, address } = row
  const values = [clinic_id, stored, at.toISOString(), key_id, operation, surface, ids, count, status, request_id]
  return `${[...values, address, duration_ms].join('\t')}\n`
}
