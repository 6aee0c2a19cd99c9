// An operation's request with curl, in a shell.
import type { Operation } from '../operation.ts'
import { addressParts, logOf } from './sent-request.ts'

const KEY = '-H "Authorization: Bearer $SC_API_KEY"'

export function curl(operation: Operation): string {
  const { method, body, example, effect } = operation
  const log = logOf(operation)
  const request = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$SC_BASE_URL${addressParts(operation).join('$DELIVERY_ID')}"`,
    KEY,
    ...(effect === 'once a key' ? ['-H "Idempotency-Key: $(date +%s)-$RANDOM"'] : []),
    ...(body ? ['-H "Content-Type: application/json"', `-d '${inSingleQuotes(example.body)}'`] : []),
  ].join(' \\\n  ')
  if (log === null) return request
  return `DELIVERY_ID=$(curl -s "$SC_BASE_URL${log}" \\\n  ${KEY} |\n  grep -o 'dlv_[^"]*' | head -n 1)\n${request}`
}

/** JSON inside the single quotes of a shell. */
function inSingleQuotes(body: unknown): string {
  return JSON.stringify(body, null, 2).replaceAll("'", "'\\''").replaceAll('\n', '\n  ')
}
