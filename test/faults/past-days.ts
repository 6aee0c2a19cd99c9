// Past days of the audit log that a service packs while it is broken: their rows, which were stored and sealed before, and what must become
// of them.
import { hash } from 'node:crypto'
import { AuditSealer } from '@clinic-data/audit/audit-seal'
import { verifyAudit } from '@clinic-data/audit/audit-verify'
import { packInThread } from '@clinic-data/audit/packing-thread'
import { sealedRows } from '@clinic-data/audit/sealed-rows'
import { parseSecretKeys, type SigningKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { type Database, sql } from '@clinic-data/database'
import { clinicWithoutKey } from '@clinic-data/testing/grounds/crash-load'
import { until } from '@clinic-data/testing/until'
import { openOwner } from './processes.ts'
import type { Stage } from './scenario.ts'

const DAY_MS = 86_400_000
const CLINICS = 3
const DAYS_A_ROUND = 3
/** So many that a round of packing is met in the middle of each of its steps. */
const ROWS_OF_A_DAY = 1_500
const SEGMENTS_A_ROUND = CLINICS * DAYS_A_ROUND
/** The oldest day of the first round. */
const OLDEST_DAYS = 900
const ROUND_MS = 60_000
const MOST_TRIES = 3
const EVERYTHING = { after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: 1_000_000 }

export class PastDays {
  readonly #stage: Stage
  readonly #url: string
  readonly #owner: Database
  readonly #clinics: string[] = []
  /** A hash of each row that was stored, by its number. */
  readonly #rows = new Map<string, Map<number, string>>()
  readonly #startMs = Date.now()
  readonly #keys: SigningKeys
  /** The segments before this round. */
  #made = 0

  private constructor(stage: Stage, url: string, owner: Database) {
    this.#stage = stage
    this.#url = url
    this.#owner = owner
    this.#keys = signingKeys(parseSecretKeys(stage.secretKeys), 'audit-head')
  }

  static async open(stage: Stage, ownerUrl: string): Promise<PastDays> {
    const owner = await openOwner(ownerUrl)
    stage.defer(() => owner.close())
    const days = new PastDays(stage, ownerUrl, owner)
    for (let n = 0; n < CLINICS; n++) days.#clinics.push(await clinicWithoutKey(owner))
    return days
  }

  /** Adds the days of a round, with sealed rows of each clinic. */
  async add(round: number): Promise<void> {
    for (let n = 0; n < DAYS_A_ROUND; n++) {
      const ms = this.#startMs - (OLDEST_DAYS - round * DAYS_A_ROUND - n) * DAY_MS
      await this.#addDay(new Date(ms).toISOString().slice(0, 10))
    }
    for (const clinic_id of this.#clinics) this.#rows.set(clinic_id, await this.#read(clinic_id))
    this.#made = await this.#segments()
  }

  async #addDay(day: string): Promise<void> {
    const next = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)
    await this.#owner.maintain((tx) =>
      tx.script(`create table audit_${day.replaceAll('-', '')} partition of audit
        for values from ('${day} 00:00Z') to ('${next} 00:00Z')`),
    )
    const start = `${day}T00:00:00Z`
    for (const clinic_id of this.#clinics) {
      await this.#owner.query(sql`insert into audit (clinic_id, at, stored_at, key_id, operation, surface, resource_ids, count, status,
          request_id, address, duration_ms)
        select ${clinic_id}, moment, moment, 'key_' || n % 7, 'patients.get', 'rest', array['p' || n % 97, '', 'p' || n % 97], 1, 200,
          md5(${day} || n), '192.0.2.1', n % 50
        from generate_series(1, ${ROWS_OF_A_DAY}::integer) n,
          lateral (select ${start}::timestamptz + n * interval '50 seconds' as moment) stored`)
      await this.#seal(clinic_id)
    }
  }

  async #seal(clinic_id: string): Promise<void> {
    let ms = 0
    const sealer = new AuditSealer({ keys: this.#keys, now: () => new Date(), monotonic: () => ms })
    for (let pass = 0; pass < 2; pass++) {
      await sealer.seal(this.#owner, clinic_id)
      ms += 60_000
    }
  }

  async #read(clinic_id: string): Promise<Map<number, string>> {
    const rows = await sealedRows(this.#owner, clinic_id, EVERYTHING)
    const read = new Map(rows.map(({ id, content }) => [id, hash('sha256', content)]))
    if (read.size !== rows.length)
      this.#stage.tell(`of ${rows.length} rows of past days ${rows.length - read.size} stand twice`)
    return read
  }

  /**
   * Starts the service again, which then packs at once, and resolves at a segment that the seed chooses. A round that fails, as on a busy
   * machine, leaves the days to the next one: ten minutes later, or after another start.
   */
  async bePacked(restart: () => Promise<void>): Promise<void> {
    const count = this.#stage.random.between(1, SEGMENTS_A_ROUND - 1)
    const isThere = async () => (await this.#segments()) >= this.#made + count
    for (let tries = 1; ; tries++) {
      await restart()
      const failure = await until(isThere, () => 'the service packs no past day', ROUND_MS).then(
        () => null,
        (error: unknown) => error,
      )
      if (failure === null) return
      if (tries === MOST_TRIES) throw failure
    }
  }

  async #segments(): Promise<number> {
    const [counted] = await this.#owner.readAsDispatcher<{ count: number }>(
      sql`select count(*)::int as count from audit_segment`,
    )
    return counted?.count ?? 0
  }

  /** Tells what became of the rows that must not have become of them. */
  async check(): Promise<void> {
    // A database that had no room for its log recovers first.
    const answers = () =>
      this.#segments().then(
        () => true,
        () => false,
      )
    await until(answers, () => 'the database never answers again')
    for (const clinic_id of this.#clinics) {
      const read = await this.#read(clinic_id)
      const stored = this.#rows.get(clinic_id) ?? new Map<number, string>()
      const others = [...stored].filter(([id, content]) => read.get(id) !== content).length
      if (others > 0 || read.size !== stored.size)
        this.#stage.tell(
          `of ${stored.size} rows of past days ${read.size} are there, and ${others} are not as they were`,
        )
      const verdict = await verifyAudit(this.#owner, clinic_id, { keys: this.#keys, keptSince: null, expected: null })
      if (!verdict.sound || verdict.rows !== stored.size)
        this.#stage.tell(`unsound audit chain of past days: ${JSON.stringify(verdict)}`)
    }
  }

  /** Goes on as the next round of the service would, until every day has given way, and looks again. */
  async packRest(): Promise<void> {
    await until(
      async () => {
        const { failures, waiting } = await packInThread({ ownerUrl: this.#url, now: new Date() })
        for (const { message } of failures) this.#stage.tell(`packing fails without a fault: ${message}`)
        return failures.length > 0 || waiting.length === 0
      },
      () => 'a past day never gives way',
    )
    await this.check()
  }
}
