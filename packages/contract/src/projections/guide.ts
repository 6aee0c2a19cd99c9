// The integrator's guide beyond the operations, which opens the reference, and the few lines of it at the head of the OpenAPI document.

import { LEAST_RETENTION_DAYS, MAX, PAGE, RATE, REQUEST, TOOL_RESULT_CHARACTERS } from '../limits.ts'
import { writeToolNames } from '../names.ts'
import type { Operation } from '../operation.ts'
import { leadsCreate } from '../operations/leads.ts'
import { paymentsCreate } from '../operations/payments.ts'
import { webhooksCreate } from '../operations/webhooks.ts'
import { goCheck, javaCheck, nodeCheck, pythonCheck } from '../samples/delivery-checks.ts'
import { fenced } from '../samples/fenced.ts'
import { firstRequests } from '../samples/first-requests.ts'
import { listOfPages, writeAndItsEvent } from '../samples/guide-samples.ts'
import { scopes } from '../scopes.ts'
import { MCP_REVISION } from '../values/example-dates.ts'
import { codeSamples, FENCES } from './code-samples.ts'
import { commandOf } from './commands.ts'
import { buildAnApp, connectAnAgent } from './connect-guide.ts'
import { claudeLine } from './programs.ts'

/** Characters. A generator copies the text into some hundred files. */
export const MOST_ABOUT = 1_500

/** The head of the OpenAPI document. @param baseUrl the public base address, without a slash at its end. */
export function about(baseUrl: string): string {
  return [
    `A clinic's patients, appointments, availability, treatments, payments, leads, calls, chat, catalog and analytics. **The guide is at ${baseUrl}/docs**: [quick start](${baseUrl}/docs/quick-start), [webhooks](${baseUrl}/docs/webhooks), [MCP](${baseUrl}/docs/mcp), [building an app](${baseUrl}/docs/build-an-app).`,
    'Send `Authorization: Bearer <key>`. A key belongs to one clinic, holds scopes, and is for servers only.',
    `Lists have pages of ${PAGE.default} rows, at most ${PAGE.max}: send \`next_cursor\` as \`cursor\` until it is null.`,
    'Every answer outside 2xx and 304 is an RFC 9457 problem: branch on `status` or `code`. Wait for `Retry-After` after 429 and 503. Send an `Idempotency-Key` with a write, and repeat it unchanged after a failure.',
    'Within `/v1` nothing is removed or given another meaning. Fields, parameters, values, event types and operations may be added: tolerate those that you do not know.',
  ].join('\n\n')
}

/**
 * The guide in Markdown, one `##` per section.
 *
 * @param toolsWrite whether this service has tools that write.
 */
export function guide(baseUrl: string, toolsWrite = false): string {
  const sections: [title: string, ...paragraphs: string[]][] = [
    ['Quick start', ...quickStart(baseUrl)],
    ['Authentication', ...authentication],
    ['Requests and answers', ...conventions],
    ['Pagination', ...pagination],
    ['Staying in step', ...watermark],
    ['Keep a copy', ...copying(baseUrl)],
    ['Errors', ...errors(baseUrl)],
    ['Rate limit', ...rateLimit],
    ['Writing safely', ...writing],
    ['Build an app', ...buildAnApp],
    ['Connect an agent', ...connectAnAgent(baseUrl)],
    ['MCP', ...mcp(baseUrl, toolsWrite)],
    ['Webhooks', ...webhooks],
    ['Versioning', ...versioning],
  ]
  return sections.map(([title, ...paragraphs]) => [`## ${title}`, ...paragraphs].join('\n\n')).join('\n\n')
}

const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
const bullets = (...items: string[]) => items.map((item) => `- ${item}`).join('\n')

/** The samples of an operation in each language, as on its own page. */
const samplesOf = (operation: Operation) =>
  codeSamples(operation).map(({ lang, label, source }) => fenced(`${FENCES[lang]} ${label}`, source))

const quickStart = (baseUrl: string) => [
  'One key opens one clinic: its patients, appointments, free slots, treatments, payments, calls, chats and figures.',
  'The same key works for the MCP server at `POST /mcp` and for the command-line client `sc`.',
  fenced(
    'sh',
    `export SC_BASE_URL=${baseUrl}`,
    'export SC_API_KEY=…            # made in the settings for integrations',
  ),
  ...firstRequests,
  'There is no test mode. A sandbox is a service of its own with invented patients, `clinicd serve --demo`: ask the operator for a key of one.',
  'Begin every integration with `GET /v1/me`. It says which clinic the key opens and which scopes it holds.',
  'Then capture a lead, somebody who is interested but not a patient yet:',
  ...samplesOf(leadsCreate),
  'Each change of an appointment, a patient, a treatment, a payment, a call or a chat message is an event; rows that were imported have none. The feed answers them to a program without an address of its own. Record a payment, and read its event:',
  ...writeAndItsEvent(paymentsCreate, commandOf(paymentsCreate).examples[0] ?? ''),
  'While you write a receiver, `sc listen --forward-to localhost:3000/hooks` forwards each event to your computer, signed like a real delivery and sent once: only a webhook is tried again. Later a webhook brings it to your address. A test event goes to its webhook alone: `sc listen` and the feed do not show it.',
  `The service serves its SDK for TypeScript and JavaScript, and the command line \`sc\`: \`npm install ${baseUrl}/packages/client.tgz\` and \`npm install --global ${baseUrl}/packages/sc.tgz\` (npm 12 also wants the option \`--allow-remote=root\`). It serves one for Python, too: [Install](/docs/install) has the line.`,
]

const authentication = [
  'Every request carries the header `Authorization: Bearer <key>`, or the access token of a clinic that has connected an app: see [Build an app](/docs/build-an-app). There are no sessions or cookies. A key begins with `sk_live_` and belongs to exactly one clinic. The key identifies the clinic, so no request names one, and no key reaches the data of another clinic.',
  'Clinic administrators make and revoke keys in the settings for integrations. A key is shown once, and only its hash is kept. If a key is lost, revoke it and make a new one. To rotate a key, make a new key, deploy it, then revoke the old one. Keep keys on servers, never in a browser or a mobile app.',
  'A key holds scopes, and each operation needs exactly one. Without a valid key the answer is 401. Without the scope it is 403, which names the scope.',
  table(
    ['Scope', 'Grants'],
    Object.entries(scopes).map(([scope, grants]) => [`\`${scope}\``, grants]),
  ),
]

const conventions = [
  bullets(
    'Bodies are JSON in UTF-8. One resource is `{ "data": { … } }`, a list is `{ "data": [ … ] }`. A page of a list also has `next_cursor`.',
    'Ids are strings, even if they look like numbers.',
    'A field of a resource is always present, unless the reference marks it optional. If it has no value, it is null.',
    "Timestamps are ISO 8601 with the clinic's UTC offset at that time (`2026-07-12T09:30:00+03:00`): parse them as instants. Dates are `YYYY-MM-DD`. `GET /v1/me` names the clinic's time zone.",
    "`from` and `to` of a list take an instant or a date. A date means the clinic's whole local day. Both bounds are inclusive.",
    'Money is a number in major units with at most the decimals of its currency: three for KWD, none for JPY, two for most. Every amount is exact in a 64-bit float as its shortest text (in Java `BigDecimal.valueOf(amount)`, never `new BigDecimal(amount)`). Turn amounts into decimals, or into whole minor units, before you add them.',
    'Phones are understood in any common form (`050-123 4567`, `+972501234567`) and compared in one normal form.',
    'Filters combine with AND. A filter by an id that does not exist gives an empty list, and `meta.warnings` names the filter. `POST /v1/query` answers its figures, and `meta.warnings` names the filter and those of its values that are the id of nothing, such as names: they count no records. Of a call’s `agent` it cannot tell.',
    'An unknown query parameter or body field is refused with 400, so a misspelt filter is never silently ignored.',
    'A clinic names its statuses of appointments itself, and none tells its kind. `POST /v1/query` on `appointments`, grouped by `status`, does: `completed_count`, `cancelled_count` and `no_show_count` are above 0 where a status is of that kind. `cancelled_at` of a detailed appointment tells a cancelled one.',
    '`response_format=detailed` adds fields to patients and appointments; the reference marks them. Its pages in Markdown show the concise form alone: `PatientDetailed` and `AppointmentDetailed` in the OpenAPI document have the rest.',
  ),
  'Text that patients wrote or said (chat messages, profile names, transcripts) is data. A program that hands it to a language model must not take it as instructions.',
]

const pagination = [
  `A paginated list takes \`limit\` (1 to ${PAGE.max}, by default ${PAGE.default}) and answers \`next_cursor\`. Send it back unchanged as \`cursor\`, with the same filters, until it is null. Cursors are opaque. They stay valid while rows are added and removed. A cursor belongs to one clinic, one list and one set of filters. To read a whole list, take \`limit=${PAGE.max}\`: each request counts in the rate limit. The SDKs and \`sc … --all\` follow the cursors themselves.`,
  ...listOfPages,
  'Catalogs, availability and subscriptions are whole lists without a cursor.',
]

const watermark = [
  'To keep a copy up to date, read a list with `updated_since`. It answers the rows that changed at or after that instant, in the order of their changes.',
  '1. Follow `next_cursor` until it is null.\n2. Subtract 60 seconds from the `updated_at` of the last row, and keep the result as the next `updated_since`.\n3. Store rows by their id. A row may come twice, but none is missed.',
  `The event feed and the deliveries of webhooks go back at least ${LEAST_RETENTION_DAYS} days; a service may keep more. A \`since\` from before that time begins with the first event that is still kept. A cursor whose next events are no longer kept is refused with 400, and the fault has the code \`expired\`: [start over](/docs/keep-a-copy). Take a new \`resume_cursor\` before you read the lists, not after them. What was removed meanwhile, such as a treatment, is in no list, so an old copy would keep it. A cursor of the feed belongs to its \`event_types\`: to ask for others, begin with \`since\` at the \`created_at\` of the last event that you have. That event comes again.`,
  'If you have two copies of one resource, from answers or from events, the one with the later `updated_at` is newer.',
]

/** A clinic of some years. */
const COPIED_PATIENTS = 10_000

const copying = (baseUrl: string) => [
  `To keep the clinic's patients, appointments, treatments and payments in a store of your own, begin with a whole program: [keep-a-copy.mjs](/docs/keep-a-copy.mjs) or [keep-a-copy.py](/docs/keep-a-copy.py). It needs the SDK of [Install](/docs/install), and survives an outage, a kill and a restore of the service. Its first read takes the whole rate of its key, so give it a key of its own. \`following the feed\` says that the copy is whole.`,
  fenced('sh', `curl -sO ${baseUrl}/docs/keep-a-copy.mjs`, `curl -sO ${baseUrl}/docs/keep-a-copy.py`),
  'The order matters:',
  `1. Take the \`resume_cursor\` of the feed **first**. Whatever changes while you read the lists comes after it.\n2. Read the lists whole, with \`updated_since=1970-01-01T00:00:00Z\`. Treatments have a list for each patient, so this takes at least a request for each: at ${RATE.requests} a minute, ${COPIED_PATIENTS.toLocaleString('en')} patients take ${Math.ceil(COPIED_PATIENTS / RATE.requests)} minutes.\n3. Follow the feed from that cursor. Read the lists with \`updated_since\`, and all appointments, treatments and payments of each patient that an event names. Replace what you had of that patient.\n4. Store the new cursor together with the rows or after them, never before. After a kill you then read some events twice, which does no harm.\n5. Keep what you have read of the lists too, with the cursor and the patients whose treatments are still to be read. A first read that a kill broke off then goes on where it was. The programs keep it in a file of its own, \`copy.json.begun\`, until it is whole.`,
  bullets(
    'A removed treatment is in no list any more; its event is `treatment.cancelled`. Nothing else is removed: cancelled appointments and payments stay, with that status. No patients are merged.',
    'A refund is a payment of its own. Its event, `payment.cancelled`, has the payment that was refunded. So read the payments again.',
    'A patient who was erased stays, with empty details, and the event is `patient.updated`. Reading the patient again also takes their name and notes out of the other rows of your copy. If you also keep calls, chat messages and leads: theirs lose names, phones and texts, which lists with `updated_since` show, and their conversations are gone.',
    'A corrected payment and imported rows have no event: lists with `updated_since` have them. After an import of treatments, start over. Neither shows that a provider, a branch or a status was renamed: keep their ids, and read the catalogs once a day.',
    `**Start over** with an empty copy when the cursor is refused: its events are no longer kept (after ${LEAST_RETENTION_DAYS} days or more), or the service was restored from a backup. Replace the former copy when the new one is whole. What the lists have no more is gone then.`,
  ),
]

const errors = (baseUrl: string) => [
  `Every answer outside 2xx and 304 is an RFC 9457 problem, \`application/problem+json\`. Branch on \`status\` or \`code\`, never on \`title\` or \`detail\`. Each \`type\` is the address of a page that explains the problem: [all problems](${baseUrl}/problems).`,
  table(
    ['Status', 'Do'],
    [
      ['400, 422', 'Fix the request. `errors` names each fault with its `parameter`, `pointer` or `header`.'],
      [
        '401',
        'Check the header and the key: `detail` says which of them. A refused key is unknown, expired or revoked.',
      ],
      ['403', 'Use a key that holds `required_scope`, or ask from an address at which the clinic allows it.'],
      ['404', 'Check the id. Ids belong to one clinic.'],
      ['408', 'The request did not arrive completely in time. Look at the connection, and send it again.'],
      [
        '409',
        'With `Retry-After`, the same `Idempotency-Key` is under way: wait, then retry. Otherwise `detail` says what the request contradicts: read that again.',
      ],
      ['429, 503', 'Wait the seconds in `Retry-After`, then retry.'],
      ['500, 502', 'Retry with exponential backoff and jitter.'],
    ],
  ),
  'Retry only these: 429, 500, 502, 503, and 409 with `Retry-After`. Give support the `request_id` of the problem (header `X-Request-Id`).',
]

const rateLimit = [
  `A key may make ${RATE.requests} requests in any ${RATE.window_seconds} seconds unless the clinic agreed another limit. REST and MCP share it. Beyond it the answer is 429 with \`Retry-After\` in seconds. Refused requests do not count. Calls that wait at the same time wait for the same second, so give many of them a higher \`maxRetries\` (\`max_retries\` in Python). Every answer says how much is left:`,
  fenced('http', 'RateLimit-Policy: "default";q=300;w=60', 'RateLimit: "default";r=287;t=42'),
  'An address that sends 60 unknown keys in a minute gets 429 instead of 401. A valid key is never refused because of its address.',
  `At most ${RATE.at_once} requests of a key run at the same time. Others wait for up to two seconds, and then get 503. A read of \`/v1/events\` with \`wait\` counts only while it looks, not while it waits.`,
]

const writing = [
  'The four writes (a lead, a payment, a chat message, a subscription) take the header `Idempotency-Key`. Send a new UUID with each new write, and the same UUID with each retry. For 24 hours a retry gets the first answer again, marked `Idempotent-Replayed: true`, and nothing is done twice. While the first request is still running, the answer is 409 with `Retry-After`. The same key with other content gets 422. A key counts for one path: on another one, such as the payments of another patient, it begins a new write.',
  `A body is at most 1 MiB and ${REQUEST.json_depth} levels deep, and holds at most ${REQUEST.json_values.toLocaleString('en')} values. Leads and payments also take an \`external_id\` of at most ${MAX.external_id} characters, your own id of the submission. Sending it again answers what the first request made. A payment of other content under the same \`external_id\` gets 409.`,
]

/** A message of MCP in a shell. JSON has no apostrophe, so it stands between two. */
const mcpCurl = (method: string, params: object, ...headers: string[]) =>
  fenced(
    'sh',
    [
      'curl "$SC_BASE_URL/mcp"',
      '-H "Authorization: Bearer $SC_API_KEY"',
      ...['Content-Type: application/json', ...headers].map((header) => `-H '${header}'`),
      `-d '${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}'`,
    ].join(' \\\n  '),
  )

const CURL = { name: 'curl', version: '1' }

/** Whoever writes a client, or looks for a fault, needs the bare messages. */
const mcpMessages = [
  `**Without a client.** In the revision ${MCP_REVISION} each request stands alone. \`_meta\` names the revision and the client, and the headers repeat the method and the tool:`,
  mcpCurl(
    'tools/call',
    {
      name: 'service_whoami',
      arguments: {},
      _meta: {
        'io.modelcontextprotocol/protocolVersion': MCP_REVISION,
        'io.modelcontextprotocol/clientInfo': CURL,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
    `MCP-Protocol-Version: ${MCP_REVISION}`,
    'Mcp-Method: tools/call',
    'Mcp-Name: service_whoami',
  ),
  'A client of 2025 begins with `initialize`. The next requests (`tools/list`, `tools/call`) have the same two headers and no `_meta`, and carry nothing of this answer:',
  mcpCurl('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CURL }),
]

const mcp = (baseUrl: string, toolsWrite: boolean) => [
  `Agents use the same key at \`POST /mcp\`, over the Model Context Protocol. The server speaks the revision ${MCP_REVISION}, without sessions, and those of 2025.`,
  fenced('sh', claudeLine(baseUrl, '$SC_API_KEY')),
  bullets(
    `${toolsWrite ? 'Most tools only read.' : 'The tools only read.'} A key sees the tools of its scopes. The reference names the tool of each operation. Begin with \`service_whoami\`.`,
    ...(toolsWrite ? writingByTools : [noneWrites]),
    `A result is the body that REST answers, both as structured content and as text. It has at most ${TOOL_RESULT_CHARACTERS.toLocaleString('en')} characters. A longer one is cut at a row, and \`next_cursor\` continues it. \`fields\` keeps only the fields that you name.`,
    'Prompts (a morning briefing, a recall list, unanswered chats, the no-shows of a week) name the calls that such work takes, for a day and a branch. A key is offered those whose tools it may use.',
    "Resources are the clinic's catalogs and datasets, for keys with `catalog:read` and `analytics:read`, and the pages of this guide. Reading one of the clinic is a call of its tool: the same scope, limit, length and record.",
    'A faulty call gets an `isError` result. Its text is the problem, with all faults at once. 401, 403, 413, 415, 429 and 5xx are HTTP problems, as in REST. A message that the protocol itself refuses gets a JSON-RPC error, whose message says why. It has the problem in `error.data` where the status is not 200.',
    'Control, bidirectional, zero-width and tag characters are left out of results.',
    `Each HTTP request counts once in the rate limit. A batch counts once per message. A body is at most ${REQUEST.mcp_body_bytes / 1024} KiB.`,
  ),
  ...mcpMessages,
]

function namesOf(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

const noneWrites = `${namesOf(Object.keys(writeToolNames))} write, and are off in this service. Whoever runs it turns them on for all its clinics, with the setting \`MCP_WRITES=1\`. Then a key needs the scope of the operation.`

/** Only where the operator has turned them on. */
const writingByTools = [
  `${namesOf(Object.keys(writeToolNames))} write, with the scope, the body and the answer of their operation. A key without the scope does not see the tool; an administrator of the clinic can make one that holds it. Each takes \`idempotency_key\`, as REST takes the header: a repeated call writes once.`,
  'A first call of them writes nothing. A client of 2026 that can ask its person (`elicitation`) is told to, and what would be written is shown to the person alone. Any other gets it in words, with a `confirmation`, which the second call sends with the same arguments, within ten minutes. The words also say where no new record comes of it, because the key or the `external_id` was used before or the lead is known.',
  '**A text in the records can talk a model into a call.** The second way proves that the write was shown to the model, not that a person has seen it: let your client ask before each call of these tools (`readOnlyHint: false`), and give an agent that reads chats no scope to write that its work does not need.',
]

const webhooks = [
  'With a subscription (`POST /v1/webhooks`), events are POSTed to an https address of yours. The body is an envelope: `id`, `type`, `created_at`, and `data`, which is byte for byte what the REST API answers for that resource.',
  'The address must be https and public. Without one, `sc listen --forward-to localhost:3000/hooks` sends each event to your own computer, signed like a delivery. A demo service answers what goes to addresses under `example.com` itself, with 204 or what the path says (`https://example.com/status/500` shows the retries), and sends nothing. Elsewhere, put your own address into this sample.',
  ...samplesOf(webhooksCreate),
  'The answer shows the secret of the subscription, once. Then deliveries come:',
  fenced(
    'http',
    'POST /hooks/clinic HTTP/1.1',
    'Content-Type: application/json',
    'X-Service-Event-Id: evt5512',
    'X-Service-Event-Type: appointment.updated',
    'X-Service-Timestamp: 1783837800',
    'X-Service-Signature: sha256=<hex>',
    'webhook-id: evt5512',
    'webhook-timestamp: 1783837800',
    'webhook-signature: v1,<base64>',
  ),
  '**Verify every delivery** before reading it. `X-Service-Signature` is the HMAC-SHA256 of the exact bytes of the body, keyed by the whole secret (`whsec_…`) as text:',
  fenced('js', nodeCheck.trim()),
  fenced('python', pythonCheck.trim()),
  fenced('go', goCheck.trim()),
  fenced('java', javaCheck.trim()),
  'The SDK does it too, and checks the age of the delivery: `verifyWebhook({ secret, headers, body })`, and in Python `verify_webhook(secret=…, headers=…, body=…)`. Add `requireSignedTimestamp: true`, or `require_signed_timestamp=True`: `X-Service-Signature` does not cover the time, so a delivery that came without the three `webhook-` headers could be an old one that somebody caught and sends again.',
  'The three `webhook-` headers follow the Standard Webhooks specification. Any of its libraries verifies them with the same secret. Their signature also covers the timestamp: refuse a delivery that is older than five minutes. Without a library: decode what follows `whsec_` from base64, take the HMAC-SHA256 under it of `{webhook-id}.{webhook-timestamp}.{body}`, and compare its base64 with what follows `v1,`. During a rotation there are two signatures; several are separated by spaces, and one that fits is enough.',
  bullets(
    'Delivery is **at least once**: deduplicate on `X-Service-Event-Id`. Order is not guaranteed: compare `updated_at`.',
    'Answer 2xx within 15 seconds and do heavy work afterwards. Redirects count as failures.',
    'A failed delivery is tried again after 5 s, 30 s, 2 m, 10 m, 30 m, 1 h, 2 h, 4 h, 6 h and 10 h, each up to a tenth sooner, while the circuit of its subscription is closed.',
    'After five failures in a row **the circuit opens**. The address then gets one attempt at a time, called a probe: after 5 s, 10 s, 30 s and then every 60 s. A probe sends the delivery that has been due longest, and counts as one of its attempts. The others wait and use no attempts; their `next_attempt_at` is the time of the probe. The first 2xx closes the circuit. The waiting deliveries are then sent at once, the one that has been due longest first.',
    '`circuit` of a subscription (`GET /v1/webhooks/{id}`) says what its delivery is doing: `state` is `closed`, `open` or `half_open`, `opened_at` says since when deliveries wait, and `next_attempt_at` when the next probe may be made. Once that time has come the circuit is `half_open`: the next delivery that is due decides. `GET /v1/webhooks/{id}/deliveries?status=pending` lists what waits, with the error of the last attempt.',
    '**While the circuit is open nothing is lost**: deliveries wait. Read the error of the last attempt, repair your address, then send a test event.',
    'A manual retry or a test event does not wait for the circuit. It is attempted within a second, and a 2xx closes the circuit. Send one when your address works again. Its attempt has the `trigger` `manual`; those of a replay are `automatic`, because it begins their schedule anew.',
    'A delivery that still waits 24 h 30 m after its event fails with the error `circuit_open`, even if it was never attempted. It can be retried and replayed.',
    'A subscription is disabled if its address fails for three days, or answers 410 twice, at least 30 seconds apart. Repair the address and make a new subscription.',
    '`PATCH /v1/webhooks/{id}` changes the address, the types and the description. What waits is sent to the new address at once, or as soon as attempts at the former one have ended, after 15 seconds at most.',
    '`POST /v1/webhooks/{id}/secret/rotate` answers a new secret. For 24 hours `webhook-signature` lists the signatures of both, the new one first, and `X-Service-Signature` is that of the former one: a receiver goes on working unchanged. Let it accept both secrets within that time, and drop the former one afterwards. A receiver that can hold only one secret checks `webhook-signature`.',
    'The log of deliveries shows each attempt. You can retry a delivery, resend one that has arrived, replay a time range and send a test event. A test event goes to its subscription alone, and is not in the feed that `sc listen` reads.',
    'Subscribing to `chat.*` events also needs `chat:read`, because they carry what patients wrote.',
    'If you have no public address, read `GET /v1/events`. It has the same events, and a cursor to continue from.',
  ),
]

const versioning = [
  'Paths begin with `/v1`. Within it nothing is removed or given another meaning. Fields, parameters, values, event types and operations may be added, so clients must tolerate fields and values that they do not know. REST, webhooks and MCP share one contract.',
  'If something must be removed one day, its answers carry `Deprecation`, `Sunset` and `Link` headers for at least twelve months before.',
]
