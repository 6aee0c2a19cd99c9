// Scopes: the backend checks them too, and requires none besides the operation's own.
import { allScopes } from '@clinic-data/contract'
import { withScopes } from '../clinic-under-test.ts'
import { inWords as outcomeInWords } from '../outcome.ts'
import type { Rule } from '../rule.ts'

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
        const isRight = outcome.kind === 'refused' && outcome.slug === 'forbidden' && outcome.required_scope === scope
        trial.hold(isRight, () => ({
          operation: operation.id,
          asked: scopes.length === 0 ? 'by a principal without scopes' : `by a principal with every scope but ${scope}`,
          expected: `the problem forbidden, with required_scope ${scope}`,
          came: outcomeInWords(outcome),
        }))
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
      trial.hold(outcome.kind === 'answered', () => ({
        operation: operation.id,
        asked:
          operation.scope === null
            ? 'by a principal without scopes'
            : `by a principal with the scope ${operation.scope} alone`,
        expected: 'an answer',
        came: outcomeInWords(outcome),
      }))
    }
  },
}

export const scopeRules: readonly Rule[] = [required, enough]
