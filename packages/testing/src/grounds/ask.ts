// Calls a backend like the gateway does, with a grant and an input, and checks every answer against the contract and the form of the port.
import assert from 'node:assert/strict'
import {
  type Answer,
  allScopes,
  type Backend,
  type Clinic,
  Grant,
  type Handlers,
  type Operations,
  operations,
  PAGE,
  type Position,
  type Principal,
  Problem,
  type ProblemSlug,
  type Scope,
} from '@clinic-data/contract'
import { readAnswer } from '@clinic-data/contract/port-answer'
import { faultsOfClosed } from '../shared/closed-schema.ts'
import { KEY_ID } from './test-clinic.ts'

export interface Input {
  params?: Record<string, string>
  query?: Record<string, unknown>
  limit?: number
  after?: Position | null
  body?: unknown
  idempotency_key?: string
  scopes?: readonly Scope[]
  /** Default: the clinic's first. */
  key_id?: string
  /** Who asks, whole. Default: that key. */
  principal?: Principal
}

/** The answer of one operation for one clinic, checked against the contract's schema. */
export async function ask<Id extends keyof Handlers>(
  backend: Backend,
  clinic: Clinic,
  id: Id,
  values: Input = {},
): Promise<Answer<Operations[Id]>> {
  const {
    params = {},
    query = {},
    limit = PAGE.default,
    after = null,
    body,
    scopes = allScopes,
    key_id = KEY_ID,
  } = values
  const { principal = { key_id, clinic, scopes, rate_limit: null, expires_at: null } } = values
  const input = { params, query: { ...query, limit, after }, body, idempotency_key: values.idempotency_key ?? null }
  const context = { request_id: 'req_test', deadline: performance.now() + 60_000 }
  const handler = backend.handlers[id] as unknown as (...args: unknown[]) => Promise<Answer<Operations[Id]>>
  const answer = await handler(Grant.authorize(principal, operations[id]), input, context)
  if (operations[id].shape === 'none') assert.equal(answer, null)
  else if (operations[id].shape !== 'link') assertAllowed(id, query.response_format === 'detailed', answer)
  assert.doesNotThrow(() => readAnswer(operations[id])({ status: 200, text: JSON.stringify(answer) }), 'over the port')
  return answer
}

/** The rows of every page, requested one after the other. */
export async function walk<Id extends keyof Handlers>(
  backend: Backend,
  clinic: Clinic,
  id: Id,
  values: Input = {},
  between: (page: { id: string }[]) => Promise<void> = async () => undefined,
): Promise<{ id: string }[]> {
  const rows: { id: string }[] = []
  let after: Position | null = null
  do {
    const { data, next } = (await ask(backend, clinic, id, { ...values, after })) as unknown as {
      data: { id: string }[]
      next: Position | null
    }
    rows.push(...data)
    await between(data)
    after = next
  } while (after !== null)
  return rows
}

/** Asserts that a promise fails with this problem and text. */
export function problem(slug: ProblemSlug, detail?: RegExp) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof Problem, `${error}`)
    assert.equal(error.slug, slug)
    if (detail) assert.match(error.message, detail)
    return true
  }
}

function assertAllowed(id: keyof Handlers, detailed: boolean, answer: unknown): void {
  const operation = operations[id]
  const output = detailed && 'detailed' in operation ? operation.detailed : operation.output
  const { properties } = output as unknown as { properties: { data: object } }
  assert.equal(faultsOfClosed(properties.data, (answer as { data: unknown }).data), '', id)
}
