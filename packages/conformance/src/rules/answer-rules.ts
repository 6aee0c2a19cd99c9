// Answers: every operation answers in the agreed form, with the fields that the contract promises.
import type { Operation } from '@clinic-data/contract'
import { isInstant } from '@clinic-data/contract/formats'
import { validatorOf } from '@clinic-data/contract/validator'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import type { Question } from '../clinic-under-test.ts'
import { instantsIn } from '../instants.ts'
import type { Answered } from '../outcome.ts'
import { differences, idOf, rowInWords, valueAt } from '../row.ts'
import type { Rule, Trial } from '../rule.ts'

interface Answer {
  operation: Operation
  question: Question
  answer: Answered
}

/** Asks every reading operation about each of its subjects. */
async function* answers(trial: Trial, detailed = false): AsyncGenerator<Answer> {
  for (const operation of trial.reads()) {
    if (detailed && !operation.detailed) continue
    const subjects = await trial.subjects.of(operation)
    if (subjects.length === 0) trial.untried.add(`${operation.id}: the clinic has nothing to ask it about`)
    for (const subject of subjects) {
      const question = detailed
        ? { ...subject, query: { ...subject.query, response_format: 'detailed' }, limit: 100 }
        : { ...subject, limit: 100 }
      const answer = await trial.clinic.known(operation, question)
      if (answer.kind === 'answered') yield { operation, question, answer }
    }
  }
}

const form: Rule = {
  name: 'answers.form',
  protects: 'A gateway can use every answer. An answer that it cannot use becomes a 502 to the client.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, question } of trial.questions()) {
      const outcome = await trial.clinic.ask(operation, question)
      trial.saw(operation, question, outcome).expect(`200 with ${FORMS[operation.shape]}`, outcome.kind === 'answered')
    }
  },
}

const FORMS = {
  page: '{data, next}: a list, and a position or null',
  bounded: '{data}: a list',
  one: '{data}: one resource',
  link: '{data}: file_id, content_type, file_name, size_bytes',
  none: 'null',
} as const

function fieldsRule(name: string, detailed: boolean, protects: string): Rule {
  return {
    name,
    protects,
    needs: ['clinic'],
    async check(trial) {
      for await (const { operation, question, answer } of answers(trial, detailed)) {
        if (operation.shape === 'link') continue
        const output = (detailed ? operation.detailed : operation.output) as
          | { properties?: Record<string, object> }
          | undefined
        const isWritten = ['page', 'bounded'].includes(operation.shape) || operation.idFilters !== undefined
        for (const part of ['data', 'meta'] as const) {
          const schema = output?.properties?.[part]
          // The gateway writes the `meta` of a list and of a query.
          if (!schema || (part === 'meta' && isWritten)) continue
          const filledIn = filledInOf(schema)
          const findings = validatorOf(schema)(answer[part], trial.clinic.clinic).filter(
            ({ code, place }) => code !== 'required' || !filledIn.has(place.slice(place.lastIndexOf('/') + 1)),
          )
          const faults = [
            ...findings.map(({ place, detail }) => `${part}${place} ${detail}`),
            ...instantsIn(schema, answer[part]).flatMap(({ place, text }) =>
              isInstant(text) ? [] : `${part}${place} must be an instant with its offset`,
            ),
          ]
          trial
            .saw(
              operation,
              question,
              `${faults.length} ${faults.length === 1 ? 'field that does' : 'fields that do'} not fit`,
            )
            .expect(faults.slice(0, MOST_FAULTS).join('; '), faults.length === 0)
        }
      }
    },
  }
}

const MOST_FAULTS = 5

interface Fields {
  properties?: Readonly<Record<string, object>>
  items?: Fields
}

/** The fields that the gateway fills in where a backend leaves them out (docs/decisions/0151). */
function filledInOf({ items, properties = {} }: Fields): ReadonlySet<string> {
  if (items !== undefined) return filledInOf(items)
  const filled = Object.entries(properties).filter(([, property]) => 'absentIs' in property)
  return new Set(filled.map(([name]) => name))
}

const agreeing: Rule = {
  name: 'answers.detailed-agrees',
  protects: 'The detailed form only adds fields. The fields of the concise form have the same values in both.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, question, answer } of answers(trial, true)) {
      const concise = await trial.clinic.known(operation, {
        ...question,
        query: { ...question.query, response_format: 'concise' },
      })
      if (concise.kind !== 'answered') continue
      for (const [i, row] of concise.rows.entries()) {
        const detailed = answer.rows[i] ?? {}
        const differing = Object.keys(row).filter((name) => differences(row[name], detailed[name]).length > 0)
        trial
          .saw(operation, question, `other values in ${differing.join(', ')}`)
          .expect(`${rowInWords(row)} with the same values in both forms`, differing.length === 0)
      }
    }
  },
}

/** Times by the service's own clock have milliseconds. Times from a clinic or a platform have whole seconds. */
const PRECISE = ['created_at', 'updated_at', 'as_of']
/** The service alone makes deliveries and disables subscriptions. */
const OWN_TAG = 'Webhooks'

const times: Rule = {
  name: 'answers.times',
  protects:
    'Times are in the clinic’s own zone and equally precise everywhere, so that they can be compared as they are.',
  needs: ['clinic'],
  async check(trial) {
    const { time_zone } = trial.clinic.clinic
    for await (const { operation, question, answer } of answers(trial)) {
      const { data: schema } = (operation.output as { properties?: Record<string, object> }).properties ?? {}
      for (const { place, field, text } of instantsIn(schema ?? {}, answer.data)) {
        if (!isInstant(text)) continue
        const decimals = operation.tag === OWN_TAG || PRECISE.includes(field) ? 3 : 0
        const expected = zonedInstant(new Date(text), time_zone, decimals)
        trial
          .saw(
            operation,
            question,
            text.slice(19) === '' ? 'a time without an offset' : `a time that ends in ${text.slice(19)}`,
          )
          .expect(
            `data${place} in the offset of ${time_zone}, ${decimals === 3 ? 'with three decimals' : 'in whole seconds'}`,
            text === expected,
          )
      }
    }
  },
}

const money: Rule = {
  name: 'answers.money',
  protects: 'Amounts are sums of money: they have at most three decimals, and no rounding errors.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, question, answer } of answers(trial)) {
      for (const row of answer.rows) {
        for (const amount of [valueAt(row, 'price'), valueAt(row, 'amount')]) {
          if (typeof amount !== 'number') continue
          trial
            .saw(operation, question, 'more decimals')
            .expect(
              `${rowInWords(row)} with an amount of at most three decimals`,
              Math.round(amount * 1000) / 1000 === amount,
            )
        }
      }
    }
  },
}

const refunds: Rule = {
  name: 'answers.refunds',
  protects: 'The status of a payment agrees with its refunds, so that a bookkeeper can rely on it.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, question, answer } of answers(trial)) {
      for (const row of answer.rows) {
        const [refunds, status] = [valueAt(row, 'refunds'), valueAt(row, 'status')]
        if (!Array.isArray(refunds) || status === 'cancelled') continue
        const back = refunds.reduce((sum: number, { amount }) => sum + Math.round(Number(amount) * 100), 0)
        const left = Math.round(Number(valueAt(row, 'amount')) * 100) - back
        const expected = back === 0 ? 'recorded' : left > 0 ? 'partially_refunded' : 'refunded'
        trial
          .saw(operation, question, String(status))
          .expect(`${rowInWords(row)} with the status ${expected}, by its refunds`, status === expected)
      }
    }
  },
}

const rowsOnce: Rule = {
  name: 'answers.rows-once',
  protects: 'A complete list has each row once. A client would count a repeated row twice.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, question } of trial.questions('bounded')) {
      const { rows } = await trial.clinic.list(operation, question)
      const ids = rows.flatMap((row) => idOf(row) ?? [])
      if (ids.length === 0) continue
      trial
        .saw(operation, question, `${ids.length - new Set(ids).size} of ${ids.length} repeated`)
        .expect('each id once', new Set(ids).size === ids.length)
    }
  },
}

export const answerRules: readonly Rule[] = [
  form,
  fieldsRule(
    'answers.fields',
    false,
    'Every field that the contract promises is present, has its type and lies within its bounds.',
  ),
  fieldsRule(
    'answers.detailed',
    true,
    'The fields that `response_format=detailed` adds have the types and bounds of the contract.',
  ),
  agreeing,
  times,
  money,
  refunds,
  rowsOnce,
]
