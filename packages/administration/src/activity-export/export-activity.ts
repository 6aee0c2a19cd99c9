// Exports what a search of the activity shows, all pages of it: as the page shows them, or in a file that proves itself (docs/decisions/0125).
//
// The rows are found first. So an export that is too large is refused before anything is given out, and what happens meanwhile is not in it.
import type { Readable } from 'node:stream'
import type { RowFilter } from '@clinic-data/audit/export/row-filter'
import {
  type FoundRows,
  namesOfSelection,
  planSelection,
  type SelectionPlan,
  writeSelection,
} from '@clinic-data/audit/export/selection'
import {
  type ActivityExport,
  type ActivityExportEnd,
  ActivityRow,
  INTEGRATIONS,
} from '@clinic-data/console-contract/console-activity'
import { MAX } from '@clinic-data/contract/limits'
import type { Static } from '@clinic-data/contract/schema'
import { serializerOf } from '@clinic-data/contract/serializer'
import type { ClinicDatabase, ClinicSession, Transaction } from '@clinic-data/database'
import { recordsOf } from '@clinic-data/records/persons/records-of'
import { LastingAnswers } from '@clinic-data/surface/lasting-answers'
import type { Log } from '@clinic-data/surface/log'
import manifest from '../../package.json' with { type: 'json' }
import { cursorAt, listActivity, membersOf } from '../pages/activity.ts'
import { auditPeriod } from '../pages/activity-period.ts'
import { LIMITS, type Limits } from './limits.ts'
import { type ActivityFilters, selectRows, tooMuch } from './select-rows.ts'

interface Exporting {
  now: Date
  /** Whether whoever asked waits no more. */
  isGone: () => boolean
  /** Stores the row of the export, before anything is given out. */
  record: (tx: Transaction, ids: readonly string[], patient_ids: readonly string[]) => void
}

export const LINES_TYPE = 'application/x-ndjson; charset=utf-8'

const PAGE = 500

const BUSY = 'Another export of this clinic is under way. Wait until it has ended, and export again.'

/** A clinic has one at a time: an export keeps the database busy for as long as it lasts. */
export class ActivityExports {
  readonly #limits: Limits
  readonly #answers: LastingAnswers

  constructor(log: Log, limits: Limits = LIMITS) {
    this.#limits = limits
    this.#answers = new LastingAnswers({ longestMs: limits.mostWritingMs, busy: BUSY }, (err) =>
      log.warn({ err }, 'an export of the activity broke off'),
    )
  }

  /** @throws Problem 422 for more than may leave at once, 429 while another export of the clinic is under way. */
  begin(
    consoleDatabase: ClinicDatabase,
    clinic: ClinicSession,
    { as, ...search }: Static<typeof ActivityExport>,
    exporting: Exporting,
  ): Promise<Readable> {
    return this.#answers.give(clinic.clinic_id, async () => {
      // Looked up once: what comes meanwhile is not in the export.
      const filters = { ...search, ...(await recordsIn(consoleDatabase, clinic, search)) }
      const found = await selectRows(consoleDatabase, clinic, filters, { ...exporting, limits: this.#limits })
      const rows = { filters, found, exporting }
      return as === 'proof' ? this.#proof(consoleDatabase, clinic, rows) : this.#rows(consoleDatabase, clinic, rows)
    })
  }

  async #rows(database: ClinicDatabase, clinic: ClinicSession, { filters, found, exporting }: Search) {
    await recordExport(database, clinic, { as: 'rows', filters, names: [], exporting })
    return shownRows(database, clinic, { filters, found, now: exporting.now })
  }

  async #proof(database: ClinicDatabase, clinic: ClinicSession, { filters, found, exporting }: Search) {
    const { clinic_id } = clinic
    const { now } = exporting
    const plan = await planSelection(database, clinic_id, found)
    this.#refuseTooMuch(plan)
    const { filter, period } = await filterOf(database, clinic, filters)
    await recordExport(database, clinic, { as: 'proof', filters, names: namesOfSelection(plan), exporting })
    return writeSelection(database, clinic_id, plan, { filter, period, now, program: manifest.version })
  }

  #refuseTooMuch({ rows, seals }: SelectionPlan): void {
    const { mostRowsOfProof, mostSeals } = this.#limits
    if (rows > mostRowsOfProof)
      throw tooMuch('too_many_rows', `The seals that prove these rows hold ${rows} rows, more than ${mostRowsOfProof}.`)
    if (seals > mostSeals)
      throw tooMuch('too_many_seals', `${seals} seals lead from the first row to today, more than ${mostSeals}.`)
  }
}

interface Search {
  filters: ActivityFilters
  found: FoundRows
  exporting: Exporting
}

interface Recorded extends Omit<Search, 'found'> {
  as: Static<typeof ActivityExport>['as']
  names: readonly string[]
}

/** The filter stands among the ids, and who was searched for among the patients: the rows themselves name patients by ids, as the page does. */
function recordExport(
  database: ClinicDatabase,
  clinic: ClinicSession,
  { as, filters, names, exporting }: Recorded,
): Promise<void> {
  const { patient_id, records: _, ...others } = filters
  const chosen = Object.entries(others).map(([name, value]) => `${name}:${value}`.slice(0, MAX.id))
  const patients = patient_id === undefined ? [] : [patient_id]
  return database.write(clinic, async (tx) => exporting.record(tx, [as, ...chosen, ...names], patients))
}

const lineOf = serializerOf(ActivityRow)

/** As the page lists them, the latest first, and a last line that says how many they are. */
async function* shownRows(
  database: ClinicDatabase,
  clinic: ClinicSession,
  { filters, found: { ids }, now }: { filters: ActivityFilters; found: FoundRows; now: Date },
): AsyncGenerator<Uint8Array> {
  let rows = 0
  let records_only_until: string | null = null
  const latest = ids.at(-1)
  for (let cursor = latest === undefined ? null : cursorAt(latest, now); cursor !== null && rows < ids.length; ) {
    const page = { ...filters, cursor, limit: Math.min(PAGE, ids.length - rows) }
    const { data, meta } = await listActivity(database, clinic, page, now)
    rows += data.length
    records_only_until ??= meta.records_only_until
    if (data.length > 0) yield Buffer.from(data.map((row) => `${lineOf(row)}\n`).join(''))
    cursor = meta.next_cursor
  }
  const end: ActivityExportEnd = { end: { rows, records_only_until } }
  yield Buffer.from(`${JSON.stringify(end)}\n`)
}

async function recordsIn(
  database: ClinicDatabase,
  clinic: ClinicSession,
  { patient_id }: ActivityFilters,
): Promise<Pick<ActivityFilters, 'records'>> {
  if (patient_id === undefined) return {}
  return { records: await database.write(clinic, (tx) => recordsOf(tx, clinic, patient_id)) }
}

async function filterOf(database: ClinicDatabase, clinic: ClinicSession, filters: ActivityFilters) {
  const { actor, integration, operation, surface, outcome, resource_id, patient_id, records = {}, from, to } = filters
  const { since, until } = await auditPeriod(database, clinic, { from, to })
  const members =
    integration === undefined
      ? null
      : await database.write(clinic, (tx) => membersOf(tx, clinic.clinic_id, integration))
  const filter: RowFilter = {
    key_ids: actor === undefined ? members : [actor].filter((id) => members?.includes(id) ?? true),
    integration: integration ?? null,
    operation: operation ?? null,
    surface: surface === undefined || surface === INTEGRATIONS ? null : surface,
    outside_console: surface === INTEGRATIONS,
    outcome: outcome ?? null,
    resource_id: resource_id ?? null,
    patient_id: patient_id ?? null,
    ...(Object.keys(records).length > 0 && { records }),
  }
  return { filter, period: { since: isoOf(since), until: isoOf(until) } }
}

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
