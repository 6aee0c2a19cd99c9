// Answers questions as a model does: knows the session's instructions and the words of the question, and of the clinic only what
// tools have told. Counts its calls and the characters that it read.
import assert from 'node:assert/strict'
import type { TestService } from '@clinic-data/testing/run/test-service'
import { send2026 } from '../messages.ts'

export type Row = Readonly<Record<string, unknown>>

export interface Page {
  data: Row[]
  next_cursor?: string | null
}

interface Descriptor {
  measures: { name: string }[]
  dimensions: { name: string }[]
  filters: { name: string }[]
}

export interface Query {
  dataset: string
  measures: string[]
  dimensions?: (string | { field: string; grain: string })[]
  filters?: { field: string; op: string; value: unknown }[]
  order?: { by: string; dir: string }[]
  limit?: number
}

const DAY_MS = 24 * 60 * 60_000

export class Walker {
  readonly #service: TestService
  readonly #key: string
  /** The clinic's day, as the instructions tell it. */
  readonly today: string
  calls = 0
  characters = 0

  private constructor(service: TestService, key: string, today: string) {
    this.#service = service
    this.#key = key
    this.today = today
  }

  /** Begins a session. */
  static async begin(service: TestService, key: string): Promise<Walker> {
    const { json } = await send2026(service, key, 'server/discover')
    const [, today] = /it was \w+ (\d{4}-\d\d-\d\d) there/.exec(json.result.instructions) ?? []
    return new Walker(service, key, today ?? assert.fail('the instructions tell no day'))
  }

  /** Calls a tool and reads the text of its result. */
  async call<T = Page>(name: string, toolArguments: Row = {}): Promise<T> {
    const { json } = await send2026(this.#service, this.#key, 'tools/call', { name, arguments: toolArguments })
    const texts: string[] = json.result.content.map(({ text }: { text: string }) => text)
    this.calls += 1
    this.characters += texts.join('').length
    assert.notEqual(json.result.isError, true, `${name}: ${texts[0]}`)
    return JSON.parse(texts[0] ?? '')
  }

  /** Reads a list to its end. */
  async rows(name: string, toolArguments: Row = {}): Promise<Row[]> {
    const rows: Row[] = []
    let cursor: string | null | undefined
    do {
      const page: Page = await this.call(name, { ...toolArguments, ...(cursor && { cursor }) })
      rows.push(...page.data)
      cursor = page.next_cursor
    } while (cursor)
    return rows
  }

  /** The id of a branch or a provider, from the catalog. */
  async idOf(kind: string, name: string): Promise<unknown> {
    const rows = await this.rows('catalog_list', { kind })
    return (rows.find((row) => row.name === name) ?? assert.fail(`${kind} do not name ${name}`)).id
  }

  async patient(name: string): Promise<unknown> {
    const { data } = await this.call('patients_list', { query: name, fields: ['id', 'first_name', 'last_name'] })
    return (data.find((row) => nameOf(row) === name) ?? assert.fail('nobody has that name')).id
  }

  /** Learns the names of a dataset, then asks for figures. */
  async figures(query: Query): Promise<Row[]> {
    const described = await this.call<{ data: { datasets: [Descriptor] } }>('metrics_describe', {
      dataset: query.dataset,
    })
    const [{ measures, dimensions, filters }] = described.data.datasets
    const grouped = (query.dimensions ?? []).map((one) => (typeof one === 'string' ? one : one.field))
    const filtered = (query.filters ?? []).map(({ field }) => field)
    for (const [known, used] of [
      [measures, query.measures],
      [dimensions, grouped],
      [filters, filtered],
    ] as const) {
      for (const name of used)
        assert.ok(
          known.some((one) => one.name === name),
          `${query.dataset} has no ${name}`,
        )
    }
    const answer = await this.call<{ data: { rows: Row[]; truncated: boolean } }>('query_run', { ...query })
    assert.ok(!answer.data.truncated || query.limit !== undefined)
    return answer.data.rows
  }

  /** A day counted from today: 1 is tomorrow. */
  day(offset: number): string {
    return new Date(Date.parse(this.today) + offset * DAY_MS).toISOString().slice(0, 10)
  }

  /** The week, from Sunday to Saturday: 0 is this week, -1 the last one. */
  week(offset: number): [from: string, to: string] {
    const sunday = 7 * offset - new Date(this.today).getUTCDay()
    return [this.day(sunday), this.day(sunday + 6)]
  }

  lastMonth(): [from: string, to: string] {
    const first = new Date(`${this.today.slice(0, 7)}-01`)
    const to = new Date(first.getTime() - DAY_MS).toISOString().slice(0, 10)
    return [`${to.slice(0, 7)}-01`, to]
  }
}

/** A filter of a query over a period. */
export function between(field: string, value: readonly [from: string, to: string]) {
  return { field, op: 'between', value }
}

/** The name of a patient, as people write it. */
export function nameOf(row: unknown): string {
  const { first_name, last_name } = row as { first_name: string | null; last_name: string | null }
  return [first_name, last_name].filter(Boolean).join(' ')
}

/** The values of one column by another: a label, and its figure. */
export function byLabel(rows: readonly Row[], label: string, figure: string): Record<string, unknown> {
  return Object.fromEntries(rows.map((row) => [String(row[label]), row[figure]]))
}

export function at(row: Row, name: string): Row {
  return (row[name] ?? {}) as Row
}
