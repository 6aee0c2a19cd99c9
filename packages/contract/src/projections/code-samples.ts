// How an operation is called from a shell: with curl, and with `sc`. The documentation shows both.
import type { Operation } from '../operation.ts'
import { commands } from './commands.ts'

/** The form that reference pages know as `x-codeSamples`. */
export interface CodeSample {
  lang: 'Shell'
  label: 'curl' | 'sc'
  source: string
}

export function codeSamples(operation: Operation): CodeSample[] {
  const sample: CodeSample = { lang: 'Shell', label: 'curl', source: curl(operation) }
  const sc = commands([operation])[0]?.examples[0]
  return sc === undefined ? [sample] : [sample, { lang: 'Shell', label: 'sc', source: sc }]
}

function curl({ method, path, body, example, idempotent }: Operation): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example.params?.[name] ?? ''))
  const query = new URLSearchParams(example.query).toString()
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$BASE_URL${address}${query && `?${query}`}"`,
    '-H "Authorization: Bearer $SC_API_KEY"',
    ...(idempotent ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body ? ['-H "Content-Type: application/json"', `-d '${quoted(example.body)}'`] : []),
  ].join(' \\\n  ')
}

/** JSON inside the single quotes of a shell. */
function quoted(body: unknown): string {
  return JSON.stringify(body, null, 2).replaceAll("'", "'\\''").replaceAll('\n', '\n  ')
}
