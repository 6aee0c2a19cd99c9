// The second net under the log's allow-list.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { redaction } from '../src/telemetry/log.ts'

test('an error in the log carries no values of its row, key or request', () => {
  const lines: string[] = []
  const log = pino({ redact: redaction }, { write: (line: string) => void lines.push(line) })
  const marker = 'patient-canary'
  log.error({
    err: Object.assign(new Error('duplicate key value violates unique constraint'), {
      detail: `Key (phone)=(${marker}) already exists.`,
      where: `unnamed portal parameter $1 = '${marker}'`,
    }),
    headers: { authorization: marker },
    secret: marker,
    authorization: marker,
  })
  assert.match(lines[0] ?? '', /duplicate key/)
  assert.doesNotMatch(lines[0] ?? '', new RegExp(marker))
})
