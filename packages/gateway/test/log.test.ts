// The second net under the log's allow-list.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { redaction } from '../src/telemetry/log.ts'

test('an error in the log carries no values of its row, key or request', () => {
  const lines: string[] = []
  const log = pino({ redact: redaction }, { write: (line: string) => void lines.push(line) })
  const marker = 'patient-canary'
  const refused = Object.assign(new Error('duplicate key value violates unique constraint'), {
    detail: `Key (phone)=(${marker}) already exists.`,
    where: `unnamed portal parameter $1 = '${marker}'`,
  })
  log.error({
    err: refused,
    headers: { authorization: marker },
    secret: marker,
    authorization: marker,
  })
  // As a background job tells of the clinics that it could not look after.
  log.error({ err: new AggregateError([refused], 'of 1 clinics') })
  for (const line of lines) {
    assert.match(line, /duplicate key/)
    assert.doesNotMatch(line, new RegExp(marker))
  }
  assert.equal(lines.length, 2)
})
