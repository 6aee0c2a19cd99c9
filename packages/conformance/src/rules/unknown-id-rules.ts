// Checks what an empty list says about ids that do not exist. A backend may say nothing, but what it says must be true.
import type { Operation } from '@clinic-data/contract'
import type { Question } from '../clinic-under-test.ts'
import { type CallOutcome, inWords as outcomeInWords } from '../outcome.ts'
import { inWords, type Rule, type Trial } from '../rule.ts'
import { spread } from '../subjects.ts'
import { UNKNOWN_IDS, withQuery } from './filter-rules.ts'
import { foreignIds } from './isolation-rules.ts'

interface FilteredById {
  operation: Operation
  /** A question that the clinic can answer. */
  subject: Question
  /** A filter by an id whose unknown values give an empty list. */
  name: string
}

async function* filteredById(trial: Trial): AsyncGenerator<FilteredById> {
  for (const operation of [...trial.reads('page'), ...trial.reads('bounded')]) {
    const [subject] = await trial.subjects.of(operation)
    const names = Object.entries(operation.unknownIds).flatMap(([name, answer]) => (answer === 'empty' ? name : []))
    if (subject) yield* names.map((name) => ({ operation, subject, name }))
  }
}

/** How many of the clinic's own ids are tried for each filter. */
const OWN_IDS = 5

const isTrue: Rule = {
  name: 'unknown-ids.true',
  protects:
    'A client that is told that a filter’s id does not exist may rely on it: the id is misspelled, not without rows.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, subject, name } of filteredById(trial)) {
      for (const id of UNKNOWN_IDS) {
        const reported = await reportedIds(
          trial,
          operation,
          withQuery(subject, { [name]: id }),
          `${name} alone, or nothing`,
          (ids) => ids.every((one) => one === name),
        )
        if (reported === null) trial.untried.add(`${operation.id}, ${name}: the backend does not tell unknown ids`)
      }
      const rows = await trial.subjects.rowsOf(name)
      for (const row of spread(rows, OWN_IDS)) {
        const question = withQuery(subject, { [name]: row.id })
        await reportedIds(
          trial,
          operation,
          question,
          `nothing about ${name}: the clinic has it`,
          (ids) => !ids.includes(name),
        )
      }
    }
  },
}

/** Holds what an answer says about unknown ids. Null when it says nothing. */
async function reportedIds(
  trial: Trial,
  operation: Operation,
  question: Question,
  expected: string,
  isRight: (ids: readonly string[]) => boolean,
): Promise<readonly string[] | null> {
  const outcome = await trial.clinic.known(operation, question)
  const reported = unknownIn(outcome)
  trial
    .saw(operation, question, `${outcomeInWords(outcome)} that calls these unknown: ${reported?.join(', ')}`)
    .expect(expected, reported === null || isRight(reported))
  return reported
}

function unknownIn(outcome: CallOutcome): readonly string[] | null {
  return outcome.kind === 'answered' ? outcome.unknown_ids : null
}

const foreign: Rule = {
  name: 'unknown-ids.foreign',
  protects: 'The id of another clinic is as unknown as any: no answer says that it exists there.',
  needs: ['clinic', 'second clinic'],
  async check(trial) {
    for await (const { operation, subject, name } of filteredById(trial)) {
      const { ids, isCertain } = await foreignIds(trial, name)
      if (!isCertain) continue
      const [unknown = ''] = UNKNOWN_IDS
      const empty = await trial.clinic.known(operation, withQuery(subject, { [name]: unknown }))
      // Another rule finds a list that is not empty.
      if (empty.kind !== 'answered' || empty.rows.length > 0) continue
      const reported = empty.unknown_ids
      for (const id of ids) {
        const question = withQuery(subject, { [name]: id })
        const about = unknownIn(await trial.clinic.known(operation, question))
        trial
          .saw(
            operation,
            `${inWords(question)}, a ${name} of the second clinic`,
            about === null ? 'nothing about unknown ids' : `these called unknown: ${about.join(', ')}`,
          )
          .expect(
            reported === null ? 'nothing about unknown ids' : `these called unknown: ${reported.join(', ')}`,
            String(about) === String(reported),
          )
      }
    }
  },
}

export const unknownIdRules: readonly Rule[] = [isTrue, foreign]
