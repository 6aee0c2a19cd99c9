// The knowledge of a clinic's simulated systems: the clinic's people and lists, and all records they have sent, as sent.
import type { EventType } from '@clinic-data/contract'
import { Random } from '../random.ts'
import type { IngestClient } from './ingest-client.ts'

export interface Catalog {
  branches: readonly string[]
  providers: readonly string[]
  appointment_types: readonly string[]
  /** Ids of statuses, by kind. */
  statuses: Readonly<Record<string, readonly string[]>>
  catalog_treatments: readonly string[]
  billing_accounts: readonly string[]
  currency: string
  transcribes: boolean
}

export interface Person {
  id: string
  first_name: string
  phone: string
}

/** Only the newest records are remembered: a simulation may last for days. */
const REMEMBERED = 5_000

// biome-ignore lint/suspicious/noExplicitAny: the ingest API checks the records; here they are only sent again
export type AnyRecord = Record<string, any>

/** The records sent to one path: the latest for each id. */
export class SentRecords {
  readonly #records = new Map<string, AnyRecord>()

  keep(id: string, record: AnyRecord): void {
    this.#records.delete(id)
    this.#records.set(id, record)
    const [oldest] = this.#records.keys()
    if (this.#records.size > REMEMBERED && oldest !== undefined) this.#records.delete(oldest)
  }

  forget(id: string): void {
    this.#records.delete(id)
  }

  all(): AnyRecord[] {
    return [...this.#records.values()]
  }

  /** Draws a few records and picks one that fits. Undefined when none of them does. */
  pick(random: Random, fits: (record: AnyRecord) => boolean = () => true): AnyRecord | undefined {
    const records = this.all()
    if (records.length === 0) return undefined
    for (let tries = 0; tries < DRAWS; tries++) {
      const record = random.pick(records)
      if (fits(record)) return record
    }
    return undefined
  }
}

const DRAWS = 20

/** A later step: for example a recording, some time after its call. */
export interface FollowUp {
  at: number
  run: () => Promise<void>
}

export class LivingClinic {
  readonly catalog: Catalog
  readonly ingest: IngestClient
  readonly random: Random
  readonly now: () => Date
  readonly people: Person[]
  /** By path. Sent again, every record must come back as unchanged. */
  readonly sent = new Map<string, SentRecords>()
  readonly expected = new Map<EventType, number>()
  readonly followUps: FollowUp[] = []
  readonly #run: string
  #last = 0

  constructor(parts: {
    catalog: Catalog
    ingest: IngestClient
    people: readonly Person[]
    now: () => Date
    seed: number
    /** Distinguishes the ids of this run. */
    run: string
  }) {
    this.catalog = parts.catalog
    this.ingest = parts.ingest
    this.people = [...parts.people]
    this.now = parts.now
    this.random = new Random(parts.seed)
    this.#run = parts.run
  }

  newId(kind: string): string {
    this.#last += 1
    return `${kind}-${this.#run}-${this.#last}`
  }

  sentTo(path: string): SentRecords {
    const records = this.sent.get(path) ?? new SentRecords()
    this.sent.set(path, records)
    return records
  }

  /** Sends a record and remembers it. `events` are those that integrations must get for it. */
  async tell(path: string, record: AnyRecord, ...events: readonly EventType[]): Promise<void> {
    await this.ingest.send(path, record)
    this.sentTo(path).keep(record.id, record)
    this.expect(...events)
  }

  expect(...events: readonly EventType[]): void {
    for (const type of events) this.expected.set(type, (this.expected.get(type) ?? 0) + 1)
  }

  /** The instant some seconds from now, in whole seconds. */
  instant(seconds = 0): string {
    return `${new Date(this.now().getTime() + seconds * 1000).toISOString().slice(0, 19)}Z`
  }

  /** Plans a later step of this run. Minutes in a clinic are seconds here. */
  later(seconds: number, run: () => Promise<void>): void {
    this.followUps.push({ at: this.now().getTime() + seconds * 1000, run })
    this.followUps.sort((a, b) => a.at - b.at)
  }
}
