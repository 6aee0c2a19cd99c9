// Ids: each row of a list is found by its id, an unknown id is not found, and every id in a row leads somewhere.
import type { Operation } from '@clinic-data/contract'
import { argumentName } from '@clinic-data/contract/names'
import type { Question } from '../clinic-under-test.ts'
import { isRefused } from '../outcome.ts'
import { differences, idOf, type Row, rowInWords, textAt, valueAt } from '../row.ts'
import { inWords, type Rule, type Trial } from '../rule.ts'
import { hasFile, sources, spread } from '../subjects.ts'
import { UNKNOWN_IDS } from './filter-rules.ts'

const unknown: Rule = {
  name: 'ids.unknown',
  protects: 'An unknown id is not found, whatever it looks like. It never gives another row or a server error.',
  needs: ['clinic'],
  async check(trial) {
    for (const operation of trial.reads()) {
      const names = Object.keys(operation.ids)
      const [name] = names
      if (name === undefined || names.length > 1) continue
      for (const id of [...UNKNOWN_IDS, ...(await bareNumbers(trial, operation))]) {
        const question = { params: { [name]: id } }
        const outcome = await trial.clinic.ask(operation, question)
        trial.saw(operation, question, outcome).expect('the problem not-found', isRefused(outcome, 'not-found'))
      }
    }
  },
}

/** A message's id is invalid without its prefix (specification, Chat message). */
async function bareNumbers(trial: Trial, operation: Operation): Promise<string[]> {
  if (operation.ids.id !== 'message') return []
  const rows = await trial.subjects.rowsOf('message_id')
  return rows.slice(0, 2).flatMap((row) => idOf(row)?.replace(/^(in|out)_/, '') ?? [])
}

/** Fields that lists leave out. */
const NOT_LISTED = ['transcript', 'segments'] as const

const listed: Rule = {
  name: 'ids.listed',
  protects: 'A resource found by its id equals its row in the list, so that a client may keep either.',
  needs: ['clinic'],
  async check(trial) {
    for (const operation of trial.reads('one')) {
      const kind = kindOf(operation)
      if (kind === null) continue
      const rows = await trial.subjects.rowsOf(kind)
      const list = trial.served(sources[kind] ?? '')
      if (rows.length === 0) trial.untried.add(`${operation.id}: the clinic has nothing to ask it about`)
      const forms = operation.detailed && list?.detailed ? ['concise', 'detailed'] : [null]
      for (const form of forms) {
        const query = form === null ? {} : { response_format: form }
        if (form === 'detailed' && rows[0] && (await isOfBefore(trial, operation, rows[0]))) {
          trial.untried.add(`${operation.id}: the backend has no detailed form of it, as before 0.3`)
          continue
        }
        const listedRows = form === 'detailed' && list ? (await trial.clinic.beginning(list, { query })).rows : rows
        for (const row of spread(listedRows, SOUGHT)) await foundAsListed(trial, operation, row, { query })
      }
    }
  },
}

const SOUGHT = 10

/** Single resources that got their detailed form after their lists: a backend of before answers the concise one, and may. */
const LATER_DETAILED = ['appointments.get']

async function isOfBefore(trial: Trial, operation: Operation, row: Row): Promise<boolean> {
  if (!LATER_DETAILED.includes(operation.id)) return false
  const question = { params: { id: idOf(row) ?? '' }, query: { response_format: 'detailed' } }
  const outcome = await trial.clinic.ask(operation, question)
  const [found = {}] = outcome.kind === 'answered' ? outcome.rows : []
  const { output, detailed } = operation
  const details = fieldsOf(detailed).filter((name) => !fieldsOf(output).includes(name))
  return outcome.kind === 'answered' && !details.some((name) => name in found)
}

function fieldsOf(output: Operation['detailed']): string[] {
  const { data } = (output as { properties?: { data?: { properties?: object } } } | undefined)?.properties ?? {}
  return Object.keys(data?.properties ?? {})
}

async function foundAsListed(trial: Trial, operation: Operation, row: Row, { query }: Question): Promise<void> {
  const question = { params: { id: idOf(row) ?? '' }, query: query ?? {} }
  const outcome = await trial.clinic.ask(operation, question)
  const [found = {}] = outcome.kind === 'answered' ? outcome.rows : []
  const differing = differences(row, found).filter((place) => place !== NOT_LISTED.join('.'))
  const isListed = 'transcript' in row && valueAt(row, ...NOT_LISTED) !== null
  trial
    .saw(
      operation,
      question,
      outcome.kind === 'answered' ? `other values in ${differing.join(', ') || NOT_LISTED.join('.')}` : outcome,
    )
    .expect(
      isListed
        ? `${NOT_LISTED.join('.')} null in the list`
        : `${rowInWords(row)} as in ${sources[kindOf(operation) ?? '']}`,
      outcome.kind === 'answered' && differing.length === 0 && !isListed,
    )
}

/** The kind of id in the operation's path. Null when there is none. */
function kindOf(operation: Operation): string | null {
  return 'id' in operation.ids ? argumentName(operation, 'id') : null
}

const ofOne: Rule = {
  name: 'ids.lists-of-one',
  protects: 'The list of one patient or conversation has the same rows as the clinic’s list filtered by it.',
  needs: ['clinic'],
  async check(trial) {
    for (const operation of trial.reads('page')) {
      if (!('id' in operation.ids)) continue
      const kind = argumentName(operation, 'id')
      const whole = trial
        .reads('page')
        .find((other) => rowsOf(other) === rowsOf(operation) && kind in other.query.properties)
      if (!whole) continue
      for (const question of await trial.subjects.of(operation)) {
        const filter = { query: { [kind]: question.params?.id } }
        const [own, filtered] = [
          await trial.clinic.beginning(operation, question),
          await trial.clinic.beginning(whole, filter),
        ]
        if (own.broken || filtered.broken) continue
        const differing = differences(own.rows.map(idOf), filtered.rows.map(idOf))
        trial
          .saw(operation, question, `${own.rows.length} rows, not the same`)
          .expect(`the rows of ${whole.id} with ${inWords(filter)}: ${filtered.rows.length}`, differing.length === 0)
      }
    }
  },
}

function rowsOf({ output }: Operation): unknown {
  return (output as { properties?: { data?: { items?: unknown } } }).properties?.data?.items
}

/** The resources that rows name by id: the operation that finds each, and the fields that the row repeats. */
const references: readonly [kind: string, finder: string, repeated: readonly string[]][] = [
  ['patient', 'patients.get', ['first_name', 'last_name']],
  ['patients', 'patients.get', ['first_name', 'last_name']],
  ['appointment', 'appointments.get', ['start', 'end']],
]

const embedded: Rule = {
  name: 'ids.embedded',
  protects: 'A resource that a row refers to is found by that id, with the same name: a call leads to its patient.',
  needs: ['clinic'],
  async check(trial) {
    for (const operation of trial.reads('page')) {
      const [subject] = await trial.subjects.of(operation)
      if (!subject) continue
      const { rows } = await trial.clinic.list(operation, subject)
      for (const row of spread(rows, SOUGHT)) {
        for (const [field, finder, repeated] of references)
          await isThere(trial, operation, row, field, finder, repeated)
        const conversation_id = textAt(row, 'conversation_id')
        if (conversation_id !== null) {
          const conversation = { id: conversation_id }
          await isThere(trial, operation, { ...row, conversation }, 'conversation', 'chat.conversations.get', [])
        }
      }
    }
  },
}

async function isThere(
  trial: Trial,
  { id: operation }: Operation,
  row: Row,
  field: string,
  finderId: string,
  repeated: readonly string[],
): Promise<void> {
  const finder = trial.served(finderId)
  if (!finder) return
  for (const reference of [valueAt(row, field)].flat()) {
    const id = textAt(reference, 'id')
    if (id === null) continue
    const question = { params: { id } }
    const outcome = await trial.clinic.known(finder, question)
    const [found] = outcome.kind === 'answered' ? outcome.rows : []
    const differing = repeated.filter((name) => differences(valueAt(found, name), valueAt(reference, name)).length > 0)
    trial
      .saw(
        finder,
        `${inWords(question)}, which ${rowInWords(row)} of ${operation} names as its ${field}`,
        found ? `other values in ${differing.join(', ')}` : outcome,
      )
      .expect(
        `the ${field}, with the same ${repeated.join(', ') || 'id'}`,
        found !== undefined && differing.length === 0,
      )
  }
}

const links: Rule = {
  name: 'ids.files',
  protects: 'A row says that there is a recording or media exactly when its link operation gives a file.',
  needs: ['clinic'],
  async check(trial) {
    for (const operation of trial.reads('link')) {
      const has = hasFile[operation.id]
      if (!has) continue
      const rows = await trial.subjects.rowsOf(argumentName(operation, 'id'))
      const [those, others] = [rows.filter(has), rows.filter((row) => !has(row))]
      if (those.length === 0) trial.untried.add(`${operation.id}: no row has a file`)
      for (const row of [...spread(those, SOUGHT), ...spread(others, SOUGHT)]) {
        const question = { params: { id: idOf(row) ?? '' } }
        const outcome = await trial.clinic.known(operation, question)
        const isRight = has(row) ? outcome.kind === 'answered' : isRefused(outcome, 'not-found')
        trial
          .saw(operation, question, outcome)
          .expect(
            has(row)
              ? 'the stored file: its row says that there is one'
              : 'the problem not-found: its row says that there is none',
            isRight,
          )
      }
    }
  },
}

export const idRules: readonly Rule[] = [unknown, listed, ofOne, embedded, links]
