// Pages: a list shows each row once, in the same order for every page size, and says when it has ended.
import type { Operation } from '@clinic-data/contract'
import type { Question, Walk } from '../clinic-under-test.ts'
import { asking } from '../list-filters.ts'
import { idOf, rowInWords } from '../row.ts'
import { inWords, type Rule, type Trial } from '../rule.ts'

interface Paged {
  operation: Operation
  question: Question
  /** Read in the largest pages. */
  whole: Walk
  /** Read in small pages. */
  walks: readonly Walk[]
}

const SMALL_LIMITS = [1, 2, 7] as const
/** For the same list under a filter or by change: an end of a page after each of the first rows, and pages of several rows. */
const FEWER_LIMITS = [1, 7] as const
/** Enough pages for ties, nulls and page boundaries, and few enough that 12 lists at 3 sizes take seconds. */
const SMALL_PAGES = 20
/** How many patients or conversations have their lists read. */
const WALKED_SUBJECTS = 2
/** Earlier than any change. */
const ALWAYS = '2000-01-01T00:00:00Z'

const walked = new WeakMap<object, Map<string, Promise<Paged>>>()

/** Every paged list: without parameters, by change, and under a filter. */
async function* pagedLists(trial: Trial): AsyncGenerator<Paged> {
  for (const operation of trial.reads('page')) {
    const subjects = (await trial.subjects.of(operation)).slice(0, WALKED_SUBJECTS)
    if (subjects.length === 0) trial.untried.add(`${operation.id}: the clinic has nothing to ask it about`)
    for (const subject of subjects) {
      yield paged(trial, operation, subject, SMALL_LIMITS)
      for (const question of await variants(trial, operation, subject))
        yield paged(trial, operation, question, FEWER_LIMITS)
    }
  }
}

async function variants(trial: Trial, operation: Operation, subject: Question): Promise<Question[]> {
  const { properties } = operation.query
  const withQuery = (query: object): Question => ({ ...subject, query: { ...subject.query, ...query } })
  const { rows } = await trial.clinic.list(operation, subject)
  const [name, value] =
    FILTERED_BY.filter((one) => Object.hasOwn(properties, one))
      .map((one) => [one, rows[0] && asking(one, rows[0], trial.clinic.clinic)] as const)
      .find(([, one]) => one !== undefined) ?? []
  return [
    ...('updated_since' in properties ? [withQuery({ updated_since: ALWAYS })] : []),
    ...(name === undefined ? [] : [withQuery({ [name]: value })]),
  ]
}

/** The first of these that a list takes is tried: many rows satisfy it. */
const FILTERED_BY = ['direction', 'is_handled', 'status_id', 'query', 'category']

function paged(trial: Trial, operation: Operation, question: Question, limits: readonly number[]): Promise<Paged> {
  const known = walked.get(trial.clinic) ?? new Map<string, Promise<Paged>>()
  walked.set(trial.clinic, known)
  const key = `${operation.id} ${JSON.stringify(question)}`
  const made = known.get(key) ?? walkAll(trial, operation, question, limits)
  known.set(key, made)
  return made
}

async function walkAll(
  { clinic }: Trial,
  operation: Operation,
  question: Question,
  limits: readonly number[],
): Promise<Paged> {
  const whole = await clinic.list(operation, question)
  const walks: Walk[] = []
  for (const limit of limits) walks.push(await clinic.walk(operation, question, limit, SMALL_PAGES))
  return { operation, question, whole, walks }
}

/** Each walk through each of these lists. */
async function* walkedLists(trial: Trial) {
  for await (const { operation, question, whole, walks } of pagedLists(trial))
    for (const walk of [whole, ...walks]) yield { operation, question: { ...question, limit: walk.limit }, whole, walk }
}

function idsOf({ rows }: Pick<Walk, 'rows'>): string[] {
  return rows.flatMap((row) => idOf(row) ?? [])
}

const limit: Rule = {
  name: 'pages.limit',
  protects: 'A page is never longer than the requested limit, so the work and the memory of a client are bounded.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, question, walk } of walkedLists(trial)) {
      const longest = Math.max(0, ...walk.pages.map(({ rows }) => rows.length))
      trial
        .saw(operation, question, `a page of ${longest}`)
        .expect(`at most ${walk.limit} rows a page`, longest <= walk.limit)
    }
  },
}

const once: Rule = {
  name: 'pages.rows-once',
  protects: 'Reading all pages of a list shows no row twice. A client would count a repeated row twice.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, question, walk } of walkedLists(trial)) {
      const seen = new Set<string>()
      const again = idsOf(walk).find((id) => seen.size === seen.add(id).size)
      trial
        .saw(operation, `${inWords(question)}, page after page`, `the row ${again} twice`)
        .expect('each row once', again === undefined)
    }
  },
}

const alike: Rule = {
  name: 'pages.alike',
  protects: 'Every page size gives the same rows in the same order: no row is lost between two pages.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, question, whole, walk } of walkedLists(trial)) {
      const expected = [...new Set(idsOf(whole))]
      trial
        .saw(operation, `${inWords(question)}, page after page`, walk.broken ?? '')
        .expect(`page ${walk.pages.length + 1}`, walk.broken === null)
      const ids = [...new Set(idsOf(walk))]
      const at = ids.findIndex((id, i) => id !== expected[i])
      const isShort = walk.isWhole && ids.length < expected.length
      if (whole.broken || walk.broken || (at >= expected.length && !whole.isWhole)) continue
      trial
        .saw(
          operation,
          `${inWords(question)}, page after page`,
          at < 0
            ? `an end after ${ids.length} rows, although there are more`
            : `another row at place ${at + 1}: ${ids[at]}`,
        )
        .expect(`the rows that come with limit=${whole.limit}, in their order`, at < 0 && !isShort)
    }
  },
}

const end: Rule = {
  name: 'pages.end',
  protects: 'There is a position exactly while there are more rows, so a client that follows it comes to an end.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, question, walk } of walkedLists(trial)) {
      const empty = walk.pages.findIndex(({ rows, next }, i) => rows.length === 0 && (i > 0 || next !== null))
      trial
        .saw(operation, `${inWords(question)}, page after page`, `page ${empty + 1} without rows`)
        .expect('a row on each page; next is null on the page of the last row', empty < 0)
    }
  },
}

/** The gateway seals it into a cursor of at most 4,096 characters. */
const POSITION_BYTES = 3000

const position: Rule = {
  name: 'pages.position',
  protects: 'A position fits into a cursor, which a client sends in a URL.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, question, walks } of pagedLists(trial)) {
      for (const { next, rows } of walks.flatMap(({ pages }) => pages)) {
        if (next === null) continue
        const bytes = Buffer.byteLength(JSON.stringify(next))
        trial
          .saw(operation, question, `${bytes} bytes after ${rowInWords(rows.at(-1))}`)
          .expect(`a position of at most ${POSITION_BYTES} bytes as JSON`, bytes <= POSITION_BYTES)
      }
    }
  },
}

export const pageRules: readonly Rule[] = [limit, once, alike, end, position]
