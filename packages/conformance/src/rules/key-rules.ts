// Keys: the backend finds a key's clinic and scopes by the key's hash alone. It checks the scopes too, and requires none besides the
// operation's own.

import { randomBytes } from 'node:crypto'
import { allScopes } from '@clinic-data/contract'
import { portForms, portPaths } from '@clinic-data/contract/port'
import { validatorOf } from '@clinic-data/contract/validator'
import { withScopes } from '../clinic-under-test.ts'
import { isRefused } from '../outcome.ts'
import type { Rule } from '../rule.ts'
import { parsed, statusOf } from './port-rules.ts'

const operation = 'authenticate'

const principal: Rule = {
  name: 'keys.principal',
  protects: 'A key opens its clinic with its scopes. The clinic’s time zone and currency are valid.',
  needs: [],
  async check(trial) {
    const reply = await trial.port.call(portPaths.authenticate, { body: { key_hash: trial.ground.keyHash } })
    const body = parsed(reply)
    const words = 'the hash of the key'
    const faults = validatorOf(portForms.authenticateAnswer.schema)(body, { country: 'US' })
    const isWell = trial
      .saw(
        operation,
        words,
        [statusOf(reply), ...faults.slice(0, 3).map(({ place, detail }) => `${place} ${detail}`)].join('; '),
      )
      .expect('200 with {principal} of the agreed form', reply.status === 200 && faults.length === 0)
    if (!isWell || !portForms.authenticateAnswer.accepts(body) || body.principal === null) return
    const { clinic, expires_at } = body.principal
    trial
      .saw(operation, words, 'an unknown name')
      .expect('principal.clinic.time_zone is an IANA name, for example Asia/Jerusalem', isTimeZone(clinic.time_zone))
    trial
      .saw(operation, words, 'a time in the past, perhaps in seconds')
      .expect(
        'principal.expires_at is in the future, in epoch milliseconds',
        expires_at === null || expires_at > trial.ground.now().getTime(),
      )
  },
}

const unknown: Rule = {
  name: 'keys.unknown',
  protects: 'A key that was never minted opens nothing.',
  needs: [],
  async check(trial) {
    const { keyHash } = trial.ground
    const last = keyHash.endsWith('0') ? '1' : '0'
    const hashes: [words: string, key_hash: string][] = [
      ['the hash of a key that was never minted', randomBytes(32).toString('hex')],
      ['the hash of the key with its last digit changed', keyHash.slice(0, -1) + last],
      ['a hash of zeros', '0'.repeat(64)],
    ]
    for (const [words, key_hash] of hashes) {
      const reply = await trial.port.call(portPaths.authenticate, { body: { key_hash } })
      const body = parsed(reply)
      const isRight = reply.status === 200 && portForms.authenticateAnswer.accepts(body) && body.principal === null
      trial
        .saw(operation, words, reply.status === 200 ? 'a principal, or another form' : statusOf(reply))
        .expect('200 {"principal":null}', isRight)
    }
  },
}

export const keyRules: readonly Rule[] = [principal, unknown]

const required: Rule = {
  name: 'scopes.required',
  protects: 'A key without the scope of an operation gets nothing from it, even if the gateway should fail to check.',
  needs: ['clinic'],
  async check(trial) {
    for (const operation of trial.ground.operations) {
      const { scope } = operation
      if (scope === null || operation.effect !== 'none') continue
      const [question = { params: Object.fromEntries(Object.keys(operation.ids).map((name) => [name, '1'])) }] =
        await trial.subjects.of(operation)
      const without = [allScopes.filter((one) => one !== scope), []]
      for (const scopes of without) {
        const principal = withScopes(trial.clinic.principal, scopes)
        const outcome = await trial.clinic.ask(operation, question, { principal })
        const isRight = isRefused(outcome, 'forbidden') && outcome.required_scope === scope
        trial
          .saw(
            operation,
            scopes.length === 0 ? 'by a principal without scopes' : `by a principal with every scope but ${scope}`,
            outcome,
          )
          .expect(`the problem forbidden, with required_scope ${scope}`, isRight)
      }
    }
  },
}

const enough: Rule = {
  name: 'scopes.enough',
  protects: 'A key with just the scope of an operation can use it, so an integration needs no other scopes.',
  needs: ['clinic'],
  async check(trial) {
    for (const operation of trial.reads()) {
      const [question] = await trial.subjects.of(operation)
      // A name in the body, of a measure for example, can require a further scope.
      if (!question || operation.body) continue
      const principal = withScopes(trial.clinic.principal, operation.scope === null ? [] : [operation.scope])
      const usual = await trial.clinic.known(operation, question)
      if (usual.kind !== 'answered') continue
      const outcome = await trial.clinic.ask(operation, question, { principal })
      trial
        .saw(
          operation,
          operation.scope === null
            ? 'by a principal without scopes'
            : `by a principal with the scope ${operation.scope} alone`,
          outcome,
        )
        .expect('an answer', outcome.kind === 'answered')
    }
  },
}

export const scopeRules: readonly Rule[] = [required, enough]

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
