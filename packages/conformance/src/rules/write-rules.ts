// Every write: its scope, its deadline, and the key that makes a repeated request safe.

import { isDeepStrictEqual } from 'node:util'
import { allScopes } from '@clinic-data/contract'
import { jsonSchemaOf } from '@clinic-data/contract/json-schema'
import { rehearsedOperations } from '@clinic-data/contract/names'
import { portPaths } from '@clinic-data/contract/port'
import { validatorOf } from '@clinic-data/contract/validator'
import { inputOf, withScopes } from '../clinic-under-test.ts'
import { type CallOutcome, isRefused, inWords as outcomeInWords, outcomeOf } from '../outcome.ts'
import { inWords, type Rule } from '../rule.ts'
import { newName, writes } from '../write-content.ts'

/** Describes the status of an answer, and whether it says that it repeats an earlier one. */
export function statusInWords(outcome: CallOutcome): string {
  if (outcome.kind !== 'answered') return outcomeInWords(outcome)
  return `${outcome.status ?? 201}${outcome.replayed ? ', replayed' : ''}`
}

export function isMade(outcome: CallOutcome): boolean {
  return outcome.kind === 'answered' && (outcome.status ?? 201) === 201
}

const answered: Rule = {
  name: 'writes.answered',
  protects: 'A write answers with the resource that it made, in the form of the contract.',
  needs: ['clinic', 'writes'],
  async check(trial) {
    for await (const { operation, content } of writes(trial)) {
      const outcome = await trial.clinic.ask(operation, content.question)
      trial
        .saw(operation, content.question, statusInWords(outcome))
        .expect('an answer with the status 201', isMade(outcome))
      if (outcome.kind !== 'answered') continue
      const { properties = {} } = jsonSchemaOf(operation.output)
      for (const part of ['data', 'meta'] as const) {
        const schema = properties[part]
        if (!schema) continue
        const faults = validatorOf(schema)(outcome[part], trial.clinic.clinic)
        trial
          .saw(operation, content.question, 'fields that do not fit')
          .expect(faults.map(({ place, detail }) => `${part}${place} ${detail}`).join('; '), faults.length === 0)
      }
    }
  },
}

const idempotency: Rule = {
  name: 'writes.idempotency-key',
  protects: 'A client that repeats a request because no answer came does not write twice.',
  needs: ['clinic', 'writes'],
  async check(trial) {
    for await (const { operation, content } of writes(trial)) {
      const idempotency_key = newName()
      const [question, changed] = [
        { ...content.question, idempotency_key },
        { ...content.changed, idempotency_key },
      ]
      const once = await trial.clinic.ask(operation, question)
      const again = await trial.clinic.ask(operation, question)
      if (once.kind !== 'answered') continue
      const isSame =
        again.kind === 'answered' &&
        again.replayed &&
        again.status === once.status &&
        isDeepStrictEqual(again.data, once.data)
      trial
        .saw(operation, `${inWords(question)}, a second time`, statusInWords(again))
        .expect(`the answer of the first time (${statusInWords(once)}) with "replayed": true`, isSame && !once.replayed)
      const other = await trial.clinic.ask(operation, changed)
      trial
        .saw(operation, `${inWords(changed)}, with the key of a request that had other content`, statusInWords(other))
        .expect('the problem idempotency-key-reused', isRefused(other, 'idempotency-key-reused'))
    }
  },
}

const deadline: Rule = {
  name: 'writes.deadline',
  protects: 'A write whose deadline has passed is not carried out: the client has given it up.',
  needs: ['clinic', 'writes'],
  async check(trial) {
    for await (const { operation, content } of writes(trial)) {
      // A second request with the same external id shows whether the first was done.
      if (!('external_id' in (content.question.body as object))) continue
      const late = await trial.clinic.ask(operation, content.question, { deadlineMs: 0 })
      const outcome = await trial.clinic.ask(operation, content.question)
      trial
        .saw(
          operation,
          `${inWords(content.question)}, first with a deadline that has passed, then with one that has not`,
          `first ${statusInWords(late)}, then ${statusInWords(outcome)}`,
        )
        .expect('first 503, then 201: the first request wrote nothing', late.kind !== 'answered' && isMade(outcome))
    }
  },
}

const scopes: Rule = {
  name: 'writes.scopes',
  protects: 'A key that may only read writes nothing.',
  needs: ['clinic', 'writes'],
  async check(trial) {
    for await (const { operation, content } of writes(trial)) {
      const { scope } = operation
      if (scope === null) continue
      const principal = withScopes(
        trial.clinic.principal,
        allScopes.filter((one) => one !== scope),
      )
      const outcome = await trial.clinic.ask(operation, content.question, { principal })
      trial
        .saw(operation, `by a principal with every scope but ${scope}`, statusInWords(outcome))
        .expect(
          `the problem forbidden, with required_scope ${scope}`,
          isRefused(outcome, 'forbidden') && outcome.required_scope === scope,
        )
    }
  },
}

const rehearsed: Rule = {
  name: 'writes.rehearsed',
  protects: 'A person is shown what a write would do before it is done: nothing of that is kept.',
  needs: ['clinic', 'writes'],
  async check(trial) {
    for await (const { operation, content } of writes(trial)) {
      if (!rehearsedOperations.some((id) => id === operation.id)) continue
      const question = { ...content.question, idempotency_key: newName() }
      const { principal, clinic } = trial.clinic
      const body = { principal, input: inputOf(operation, question, clinic) }
      const reply = await trial.port.call(portPaths.rehearsal(operation.id), { body })
      if (reply.status === 404) {
        trial.untried.add('rehearsals: the backend has no such calls, and need not have them')
        return
      }
      const shown = outcomeOf(operation, reply)
      trial
        .saw(`a rehearsal of ${operation.id}`, question, statusInWords(shown))
        .expect('the answer of the write, with the status 201', isMade(shown))
      const done = await trial.clinic.ask(operation, question)
      const isFirst = isMade(done) && done.kind === 'answered' && !done.replayed
      trial
        .saw(operation, `${inWords(question)}, after its rehearsal`, statusInWords(done))
        .expect('201, not replayed: the rehearsal kept nothing', isFirst)
    }
  },
}

export const writeRules: readonly Rule[] = [answered, idempotency, deadline, scopes, rehearsed]
