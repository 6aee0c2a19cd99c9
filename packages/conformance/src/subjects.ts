// Finds what an operation can be asked about: ids from the clinic's own lists, those with most rows first.
import type { Operation } from '@clinic-data/contract'
import { AVAILABILITY_DAYS, idLists } from '@clinic-data/contract'
import { argumentName } from '@clinic-data/contract/names'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import type { ClinicUnderTest, Question } from './clinic-under-test.ts'
import { idOf, idsAt, type Row, textAt, valueAt } from './row.ts'

/** The list that shows the ids of each kind. A kind is the name of an argument (`argumentName`) or of a filter. */
export const sources: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(idLists).map(([kind, list]) => [`${kind}_id`, list]),
)

/** The lists whose rows count for a patient or a conversation. */
const activity: Readonly<Record<string, string>> = {
  'patients.calls.list': 'calls.list',
  'patients.chat_messages.list': 'chat.messages.list',
  'chat.conversations.messages.list': 'chat.messages.list',
}

/** Only some rows have a link. */
export const hasFile: Readonly<Record<string, (row: Row) => boolean>> = {
  'calls.recording.get': (row) => valueAt(row, 'recording', 'available') === true,
  'chat.messages.media.get': (row) => valueAt(row, 'media', 'available') === true,
}

/** How many ids are tried for one operation. */
const MOST_SUBJECTS = 5
/** How many patients are looked at to find some that have rows. */
const MOST_CANDIDATES = 20
/** How many days one question for free slots covers, with today. */
const SLOT_DAYS = Math.min(7, AVAILABILITY_DAYS)

export class Subjects {
  readonly #clinic: ClinicUnderTest
  readonly #operations: readonly Operation[]
  readonly #now: () => Date
  readonly #known = new Map<string, Promise<Question[]>>()

  constructor(clinic: ClinicUnderTest, operations: readonly Operation[], now: () => Date) {
    this.#clinic = clinic
    this.#operations = operations
    this.#now = now
  }

  /** Questions that the clinic can answer. None when it holds nothing to ask about. */
  of(operation: Operation): Promise<Question[]> {
    const known = this.#known.get(operation.id) ?? this.#find(operation)
    this.#known.set(operation.id, known)
    return known
  }

  /** Whether `rowsOf` holds every id of a kind that the clinic has. */
  async isWhole(kind: string): Promise<boolean> {
    const operation = this.#operations.find(({ id }) => id === sources[kind])
    if (!operation || 'id' in operation.ids || !this.#clinic.may(operation)) return false
    return (await this.#clinic.list(operation)).isWhole
  }

  /** The rows of the lists that show ids of a kind. */
  async rowsOf(kind: string): Promise<Row[]> {
    const operation = this.#operations.find(({ id }) => id === sources[kind])
    if (!operation || !this.#clinic.may(operation)) return []
    const walks = await Promise.all(
      (await this.of(operation)).map((question) => this.#clinic.list(operation, question)),
    )
    return walks.flatMap(({ rows }) => rows)
  }

  async #find(operation: Operation): Promise<Question[]> {
    const names = Object.keys(operation.ids)
    if (names.length > 1 || !this.#clinic.may(operation)) return []
    if (names.length === 0) return this.#withoutIds(operation)
    const kind = argumentName(operation, names[0] ?? '')
    const about = (id: string): Question => ({ params: { [names[0] ?? '']: id } })
    if (operation.shape === 'page') return this.#busiest(operation, await this.#candidates(operation, kind), about)
    const has = hasFile[operation.id] ?? (() => true)
    const rows = (await this.rowsOf(kind)).filter(has)
    return spread(
      rows.flatMap((row) => idOf(row) ?? []),
      MOST_SUBJECTS,
    ).map(about)
  }

  async #withoutIds(operation: Operation): Promise<Question[]> {
    if (operation.id === 'availability.list') return this.#freeDays()
    return [operation.example.body === undefined ? {} : { body: operation.example.body }]
  }

  /** Asks for a week of each branch. */
  async #freeDays(): Promise<Question[]> {
    const now = this.#now()
    const day = (ahead: number) =>
      zonedInstant(new Date(now.getTime() + ahead * DAY_MS), this.#clinic.clinic.time_zone, 0).slice(0, 10)
    const branches = (await this.rowsOf('branch_id')).flatMap((row) => idOf(row) ?? [])
    return spread(branches, MOST_SUBJECTS).map((branch_id) => ({
      query: { from: day(0), to: day(SLOT_DAYS - 1), branch_id },
    }))
  }

  /** First the ids that most rows of the clinic's own list name, then any. */
  async #candidates(operation: Operation, kind: string): Promise<string[]> {
    const busy = this.#operations.find(({ id }) => id === (activity[operation.id] ?? 'appointments.list'))
    const rows = busy && this.#clinic.may(busy) ? (await this.#clinic.list(busy)).rows : []
    const times = new Map<string, number>()
    for (const row of rows) for (const id of namedBy(row, kind)) times.set(id, (times.get(id) ?? 0) + 1)
    const busiest = [...times].sort(([, a], [, b]) => b - a).map(([id]) => id)
    const any = (await this.rowsOf(kind)).flatMap((row) => idOf(row) ?? [])
    return [...new Set([...busiest.slice(0, MOST_CANDIDATES / 2), ...any])].slice(0, MOST_CANDIDATES)
  }

  async #busiest(operation: Operation, ids: readonly string[], about: (id: string) => Question): Promise<Question[]> {
    const counted: { question: Question; rows: number }[] = []
    for (const id of ids) {
      const question = about(id)
      counted.push({ question, rows: (await this.#clinic.list(operation, question)).rows.length })
    }
    return counted
      .sort((a, b) => b.rows - a.rows)
      .slice(0, MOST_SUBJECTS)
      .map(({ question }) => question)
  }
}

const DAY_MS = 86_400_000

/** The ids of one kind that a row names. */
export function namedBy(row: Row, kind: string): string[] {
  const own = textAt(row, kind)
  const embedded = textAt(row, kind.replace(/_id$/, ''), 'id')
  return [...(own ? [own] : []), ...(embedded ? [embedded] : []), ...idsAt(row, kind.replace(/_id$/, 's'))]
}

/** Picks at most this many rows, spread from the beginning of the list to its end. */
export function spread<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list]
  return Array.from({ length: most }, (_, i) => list[Math.floor((i * (list.length - 1)) / (most - 1))] as T)
}
