// What `sc` says of webhooks whose deliveries wait.
import assert from 'node:assert/strict'
import test from 'node:test'
import { openCircuitHints } from '@clinic-data/cli/views/open-circuits'

const opened_at = '2026-07-12T09:30:00.000+03:00'
const next_attempt_at = '2026-07-12T09:30:05.000+03:00'

test('each webhook with an open circuit is named, with its next attempt and what to do, and no other one', () => {
  const hints = openCircuitHints([
    { id: 'wh1', circuit: { state: 'open', opened_at, next_attempt_at } },
    { id: 'wh2', event_types: ['payment.recorded'], circuit: { state: 'half_open', opened_at, next_attempt_at: null } },
    { id: 'wh3', circuit: { state: 'closed', opened_at: null, next_attempt_at: null } },
    { id: 'wh4', circuit: null },
    { id: 'wh5' },
  ])
  assert.equal(hints.length, 2)
  assert.match(hints[0] ?? '', new RegExp(`wh1 fails.* wait, since ${RegExp.escape(opened_at)}; none is lost`))
  assert.match(hints[0] ?? '', new RegExp(`next attempt ${RegExp.escape(next_attempt_at)}.*sc webhooks test wh1 `))
  assert.match(hints[1] ?? '', /wh2 .*next attempt as soon as a delivery is due/)
  assert.deepEqual(
    hints.map((hint) => hint.split('--event-type ')[1]),
    ['appointment.updated', 'payment.recorded'],
  )
})
