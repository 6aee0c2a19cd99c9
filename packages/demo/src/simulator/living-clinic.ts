// What the simulated systems of a clinic know: who and what there is, and all they have told so far, as they told it.
import type { EventType } from '@clinic-data/contract'
import { Random } from '../random.ts'
import type { Doors } from './doors.ts'

export interface Catalog {
  branches: readonly string[]
  providers: readonly string[]
  appointment_types: readonly string[]
  /** Ids by what a status means. */
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

/** The newest things are remembered: a clinic may be simulated for days. */
const REMEMBERED = 5_000

// biome-ignore lint/suspicious/noExplicitAny: the forms of records are the doors' affair; here they are only sent again
export type AnyRecord = Record<string, any>

/** What was sent to one door: the last record of each thing. */
export class Told {
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

  /** One of those that fit, of a few that are drawn; undefined when none of these does. */
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

/** Later reports of something: a recording some time after its call. */
export interface FollowUp {
  at: number
  run: () => Promise<void>
}

export class LivingClinic {
  readonly catalog: Catalog
  readonly doors: Doors
  readonly random: Random
  readonly now: () => Date
  readonly people: Person[]
  /** By door. What each holds must come back as unchanged when it is sent again. */
  readonly told = new Map<string, Told>()
  readonly expected = new Map<EventType, number>()
  readonly followUps: FollowUp[] = []
  readonly #run: string
  #last = 0

  constructor(parts: {
    catalog: Catalog
    doors: Doors
    people: readonly Person[]
    now: () => Date
    seed: number
    /** Distinguishes the ids of this run. */
    run: string
  }) {
    this.catalog = parts.catalog
    this.doors = parts.doors
    this.people = [...parts.people]
    this.now = parts.now
    this.random = new Random(parts.seed)
    this.#run = parts.run
  }

  newId(kind: string): string {
    this.#last += 1
    return `${kind}-${this.#run}-${this.#last}`
  }

  toldTo(door: string): Told {
    const told = this.told.get(door) ?? new Told()
    this.told.set(door, told)
    return told
  }

  /** Tells a record and remembers it as told; the events are those that integrations are due. */
  async tell(door: string, record: AnyRecord, ...events: readonly EventType[]): Promise<void> {
    await this.doors.send(door, record)
    this.toldTo(door).keep(record.id, record)
    this.expect(...events)
  }

  expect(...events: readonly EventType[]): void {
    for (const type of events) this.expected.set(type, (this.expected.get(type) ?? 0) + 1)
  }

  /** An instant some seconds from now, in whole seconds. */
  instant(seconds = 0): string {
    return `${new Date(this.now().getTime() + seconds * 1000).toISOString().slice(0, 19)}Z`
  }

  /** Later in this run: what takes minutes in a clinic takes seconds here. */
  later(seconds: number, run: () => Promise<void>): void {
    this.followUps.push({ at: this.now().getTime() + seconds * 1000, run })
    this.followUps.sort((a, b) => a.at - b.at)
  }
}
