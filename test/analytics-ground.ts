// The base of the analytics tests: a service with a clinic, and the faults of a query.
import { after, before } from 'node:test'
import { ask, smallClinic, startParts, type TestClinic, type TestService } from '@clinic-data/testing/run/test-service'

export let service: TestService
export let clinic: TestClinic
/** How many queries the backend has run. */
export const runs = { executed: 0 }

before(async () => {
  service = await startParts({
    wrap: (backend) => {
      const run = backend.handlers['query.run']
      const counted: typeof run = (...call) => {
        runs.executed += 1
        return run(...call)
      }
      return { ...backend, handlers: { ...backend.handlers, 'query.run': counted } }
    },
  })
  clinic = await smallClinic(service)
})

after(() => service.close())

export const RANGE = { op: 'between', value: ['2026-01-01', '2026-03-31'] }

export const TREATMENTS = {
  dataset: 'treatments',
  measures: ['treatment_count'],
  filters: [{ field: 'effective_date', ...RANGE }],
}
export const post = (body: unknown, key = clinic.key) => ask(service, key, '/v1/query', { method: 'POST', body })

/** The faults of a query, as `pointer: detail`. */
export async function faults(changes: object, key = clinic.key): Promise<[status: number, texts: string[]]> {
  const { status, json } = await post({ ...TREATMENTS, ...changes }, key)
  return [status, (json.errors ?? []).map(({ pointer, detail }: Record<string, string>) => `${pointer}: ${detail}`)]
}

export const DIMENSIONS = 'must be one of: provider, effective_date'
export const on = (op: string, value: unknown, field = 'effective_date') => ({ field, op, value })
