// Samples of the guide that take more than one request, in each language: a list of several pages, and a write whose event is read.

import type { Operation } from '../operation.ts'
import { csharpPages, csharpWriteThenRead } from './csharp-programs.ts'
import { curl } from './curl.ts'
import { fenced } from './fenced.ts'
import { goPages, goWriteThenRead } from './go-programs.ts'
import { python } from './python.ts'
import { typescript } from './typescript.ts'

const LIST = '/v1/appointments?from=2026-07-14&to=2026-07-14'
const EVENTS = '/v1/events?event_types=payment.recorded&wait=5&since='
const AUTHORIZED = '-H "Authorization: Bearer $SC_API_KEY"'
const NOW = 'SINCE=$(date -u +%Y-%m-%dT%H:%M:%SZ)'

/** A list from its first row to its last: in a shell two pages of it, elsewhere all. */
export const listOfPages = [
  fenced(
    'sh curl',
    `NEXT=$(curl -s "$SC_BASE_URL${LIST}&limit=5" ${AUTHORIZED} |`,
    `  grep -o '"next_cursor":"[^"]*' | cut -d '"' -f 4)`,
    `curl "$SC_BASE_URL${LIST}&limit=5&cursor=$NEXT" ${AUTHORIZED}`,
  ),
  fenced(
    'ts client',
    "for await (const appointment of client.appointments.list({ from: '2026-07-14', to: '2026-07-14' })) {",
    '  console.log(appointment.id)',
    '}',
  ),
  fenced(
    'python clinic_data',
    'for appointment in client.appointments.list(from_="2026-07-14", to="2026-07-14"):',
    '    print(appointment["id"])',
  ),
  fenced('go go', goPages(`${LIST}&limit=100`)),
  fenced('csharp csharp', csharpPages(`${LIST}&limit=100`)),
  fenced('sh sc', 'sc appointments list --from 2026-07-14 --to 2026-07-14 --all'),
]

/**
 * A recorded payment, and the feed from before it.
 *
 * @param record the operation that records it.
 * @param command the same with `sc`.
 */
export const writeAndItsEvent = (record: Operation, command: string) => [
  fenced('sh curl', NOW, curl(record), `curl "$SC_BASE_URL${EVENTS}$SINCE" \\`, `  ${AUTHORIZED}`),
  fenced(
    'ts client',
    'const since = new Date().toISOString()',
    typescript(record),
    "const feed = await client.events.list({ event_types: 'payment.recorded', since, wait: 5 })",
    'for (const event of feed.data) console.log(event.type, event.id)',
  ),
  fenced(
    'python clinic_data',
    'from datetime import datetime, timezone',
    '',
    'since = datetime.now(timezone.utc)',
    python(record),
    'feed = client.events.list(event_types="payment.recorded", since=since, wait=5).page()',
    'for event in feed.data:',
    '    print(event["type"], event["id"])',
  ),
  fenced('go go', goWriteThenRead(record, EVENTS)),
  fenced('csharp csharp', csharpWriteThenRead(record, EVENTS)),
  fenced('sh sc', NOW, command, 'sc events list --event-types payment.recorded --since "$SINCE" --wait 5'),
]
