// The backend port over HTTP, as data: how a gateway asks and how a backend answers. A system in any language can hold the
// clinics' data behind it.
//
// Every call carries `authorization: Bearer <BACKEND_TOKEN>` and `x-deadline-ms`, the whole milliseconds left to answer it. Bodies
// are JSON in UTF-8. A backend refuses a call without the token (401) before it looks at anything else, and drops work whose time
// has passed (503).
//
//   GET  /port/ready            → 200 {version}: the backend can answer, in this version of the port
//   POST /port/authenticate     {key_hash} → 200 {principal}: the holder of the key, null when there is none, it has
//                               expired or was revoked. Gateways use an answer for up to `KEY_CACHE_MS`: a revocation is
//                               acknowledged no sooner than that after it was stored. `principal.networks` are those from which
//                               alone the key may be used: the gateway refuses it elsewhere. A gateway that does says so by
//                               `x-compares-networks: 1`; to any other one there is no such key
//   POST /port/operations/<id>  {principal, input, filters} → 200 with the answer: {data} for one resource or a bounded list;
//                               {data, next} for a page, `next` the position of its last row while there are more, else
//                               null; for the event feed also `resume`, the position where reading continues; the stored
//                               file as {data, patient_ids} for a link, with the patients whose file it is; null for an
//                               operation without an answer. A write whose resource
//                               already existed adds `status: 200`, one that repeats the answer to an earlier request with
//                               the same idempotency key adds `replayed: true`.
//                               The backend checks that the principal holds the operation's scope, and reads and writes
//                               rows of `principal.clinic.clinic_id` only. A write checks `principal.key_id` again, in its
//                               own transaction: 401 with the slug `unauthorized` if the key has expired or was revoked.
//                               `filters` names those filters of the query that the operation has gained since its first
//                               release, and is absent where there are none. A backend that does not know one answers 400.
//                               `x-request-id` names the client's request.
//                               `record` comes with a read, and only to a backend whose answers carry `x-records-reads: 1`: what the
//                               gateway knows for the audit row. A backend that has stored that row adds `recorded: true` to its
//                               answer. Otherwise the gateway stores it (`POST /port/audit`), as it does for every other call
//   POST /port/rehearsals/<id>  the body of a write (`rehearsedOperations`) → the answer or the refusal of that write, which keeps
//                               nothing of it. A path of its own: a backend that has no such calls answers 404 without a problem,
//                               where it could overlook a member of the body and write
//   POST /port/connect/<endpoint>  {form: [{name, value}], authorization, address} → 200 {status, body}: what the authorization server
//                               answers an app at `/oauth/<endpoint>` (`appEndpoints`); `body` is null where the answer has none.
//                               Only a backend that apps can be connected to has these calls
//   POST /port/audit            {rows} → 204 once all of them are stored, in order
//   POST /port/calls            {calls: [{path, deadline_ms, request_id, body}]} → 200 with a line for each call, as soon as it is
//                               answered: its place in the list, its status and its body (`port-lines.ts`). Only for a backend
//                               whose answers carry `x-takes-calls: 1`, and only for the three kinds of calls above.
//                               `x-contract` tells the form of the gateway's answers (`contractMark`): a backend that is built
//                               from the same contract may write the rows of lists itself, and every other one ignores it
//   POST /port/files            {file, range} → 200 with the file, or 206 with the part that `content-range` names;
//                               `content-length`, `content-type` and `x-file-name` (percent-encoded UTF-8) are required.
//                               `x-client-address` is where the client asks from. A key that is bound to other networks: 403
//                               with {state: elsewhere}, and 410 where the header is absent.
//                               `x-patient-ids` names the patients whose file it is, each percent-encoded, with commas between.
//                               404, 410, 416 with {state}: missing; the key of the link is revoked or expired;
//                               the range lies outside
//
// A backend that is about to stop adds `x-draining: 1` to its answers. Gateways then send new calls to the others.
//
// A backend of this repository also tells what its gateways must share: `x-secret-keys` has the fingerprints of its secret keys
// (`keyFingerprints`), and `x-connects-apps: 1` means that apps are connected to its clinics. A gateway that differs says so in its log.
//
// A refusal of an operation is {slug, detail, members} with the slug's status, where the slug is one of `portProblems`. For
// statuses below 500, `detail` and `members` reach the client: they say how to mend the request. The gateway cannot use any other
// answer: its client gets 502, or 503 if the answer was 502, 503 or 504.

import { Compile } from 'typebox/schema'
import { MOST_NAMES } from '../analytics/sent-query.ts'
import type { AppEndpoint } from '../app-request.ts'
import { audiences } from '../grant.ts'
import { MAX, PAGE } from '../limits.ts'
import { MOST_TOLD_VALUES } from '../page-meta.ts'
import type { ProblemSlug } from '../problems.ts'
import {
  Id,
  list,
  nullable,
  object,
  type Static,
  strictObject,
  type TSchema,
  Type,
  text,
  whole,
} from '../schema/schema.ts'
import { NETWORKS } from '../values/network.ts'
import { Audited, AuditRow, ReadRecord } from './audit-forms.ts'
import { PORT_LIMITS } from './port-limits.ts'

export { PORT_LIMITS }

/** Raised by a change that a backend of the previous version would answer wrongly. A new operation is not such a change. */
export const PORT_VERSION = 1

export const portPaths = {
  ready: '/port/ready',
  authenticate: '/port/authenticate',
  operation: (id: string) => `/port/operations/${id}`,
  rehearsal: (id: string) => `/port/rehearsals/${id}`,
  connect: (endpoint: AppEndpoint) => `/port/connect/${endpoint}`,
  audit: '/port/audit',
  calls: '/port/calls',
  files: '/port/files',
} as const

/** Header names in addition to HTTP's own. */
export const portHeaders = {
  deadline: 'x-deadline-ms',
  request_id: 'x-request-id',
  file_name: 'x-file-name',
  patient_ids: 'x-patient-ids',
  draining: 'x-draining',
  takes_calls: 'x-takes-calls',
  records_reads: 'x-records-reads',
  compares_networks: 'x-compares-networks',
  contract: 'x-contract',
  client_address: 'x-client-address',
  secret_keys: 'x-secret-keys',
  connects_apps: 'x-connects-apps',
} as const

/** The problems that a backend may answer an operation with. */
export const portProblems = [
  'invalid-request',
  'unauthorized',
  'forbidden',
  'not-found',
  'conflict',
  'unprocessable',
  'idempotency-key-reused',
  'internal-error',
  'upstream-error',
  'service-unavailable',
] as const satisfies readonly ProblemSlug[]

/** The longest code of a fault, place in a request, and public text. */
const TEXT = { code: MAX.code, place: 500, detail: 1000 }

const Strings = list(text(MAX.name), 64)

/** The holder of a key. Unknown scopes are ignored. */
export const PortPrincipal = object({
  key_id: Id,
  clinic: object({
    clinic_id: text(63, { pattern: '^[a-z0-9][a-z0-9_-]{0,62}$' }),
    name: Type.Optional(text(MAX.name)),
    time_zone: text(64, { minLength: 1 }),
    country: text(2, { pattern: '^[A-Z]{2}$' }),
    currency: text(3, { pattern: '^[A-Z]{3}$' }),
    week_start: whole(0, 1),
    min_visit_minutes: whole(1, MAX.duration_minutes),
  }),
  scopes: Strings,
  rate_limit: nullable(whole(1, 1_000_000, { description: "Requests a window; null: the installation's default." })),
  expires_at: nullable(Type.Integer({ description: 'Epoch milliseconds.' })),
  networks: Type.Optional(
    list(text(MAX.code), NETWORKS, {
      description: 'Where alone it may be used, as addresses and CIDR blocks. Absent: anywhere.',
    }),
  ),
  audience: Type.Optional(
    text(10, { enum: audiences, description: 'Only of a token: the one place where it is good. Absent: everywhere.' }),
  ),
})

/** Those of a call or a chat message: of one phone. */
const patientIds = list(Id, MAX.patients)

const recorded = Type.Optional(
  Type.Literal(true, { description: 'The backend has stored the audit row of this read.' }),
)

/** Beside rows that the backend has written: what the audit log names of them. */
const audited = Type.Optional(Audited)

const offset = nullable(Type.Integer({ minimum: 0 }))

/** Each body of the port: its JSON Schema, and a check for that form. */
export const portForms = {
  ready: form(object({ version: whole(1, 1000) })),
  authenticateRequest: form(strictObject({ key_hash: text(64, { pattern: '^[0-9a-f]{64}$' }) })),
  authenticateAnswer: form(object({ principal: nullable(PortPrincipal) })),
  operationRequest: form(
    strictObject({
      principal: PortPrincipal,
      input: object({
        params: object({}),
        query: object({
          limit: whole(1, MAX.catalog),
          after: nullable(list(Type.String(), 10, { description: 'The position after which the page begins.' })),
        }),
        body: Type.Optional(Type.Unknown()),
        idempotency_key: nullable(text(255)),
      }),
      filters: Type.Optional(list(text(MAX.name), 64)),
      record: Type.Optional(ReadRecord),
    }),
  ),
  pageAnswer: form(
    object({
      data: list(Type.Unknown(), MAX.slots),
      next: nullable(list(Type.String(), 10)),
      resume: Type.Optional(list(Type.String(), 10)),
      recorded,
      audited,
      unknown_ids: Type.Optional(list(text(MAX.name), 10)),
    }),
  ),
  answer: form(
    object({
      data: Type.Unknown(),
      unknown_ids: Type.Optional(list(text(MAX.name), 10)),
      unknown_values: Type.Optional(
        list(
          object({ filter: text(MAX.name), values: list(text(MAX.attribution_value), MOST_TOLD_VALUES) }),
          MOST_NAMES,
          { description: 'Of `query.run`: the values of filters by an id that are the id of nothing in the clinic.' },
        ),
      ),
      patient_ids: Type.Optional(
        list(Id, PAGE.max * MAX.patients, {
          description: 'Of `query.run`: the patients whose plans the rows name. The audit log names them.',
        }),
      ),
      status: Type.Optional(whole(200, 201)),
      recorded,
      audited,
      replayed: Type.Optional(Type.Literal(true)),
    }),
  ),
  linkAnswer: form(
    object({
      data: object({
        file_id: Id,
        content_type: text(MAX.content_type),
        file_name: text(MAX.file_name),
        size_bytes: Type.Integer({ minimum: 0, maximum: MAX.file }),
      }),
      patient_ids: Type.Optional(patientIds),
      recorded,
    }),
  ),
  problem: form(
    object({
      slug: text(MAX.code, { enum: portProblems }),
      detail: text(TEXT.detail),
      members: object({
        errors: Type.Optional(
          list(
            object({
              code: text(TEXT.code),
              detail: text(TEXT.detail),
              pointer: Type.Optional(text(TEXT.place)),
              parameter: Type.Optional(text(TEXT.place)),
              header: Type.Optional(text(TEXT.place)),
            }),
            MAX.errors,
          ),
        ),
        required_scope: Type.Optional(text(MAX.code)),
        retry_after: Type.Optional(whole(1, 86_400)),
      }),
    }),
  ),
  connectRequest: form(
    strictObject({
      form: list(
        object({ name: text(MAX.name, { minLength: 1 }), value: text(PORT_LIMITS.form_characters) }),
        PORT_LIMITS.form_parameters,
        {
          description:
            'The parameters of the form, each name once. For `register` the one parameter `metadata`: the JSON text.',
        },
      ),
      authorization: nullable(text(PORT_LIMITS.form_characters)),
      address: text(MAX.code, { description: "The app's address." }),
    }),
  ),
  connectAnswer: form(
    object({ status: whole(200, 503), body: Type.Unknown(), is_guess: Type.Optional(Type.Boolean()) }),
  ),
  auditRequest: form(strictObject({ rows: list(AuditRow, PORT_LIMITS.audit_rows) })),
  callsRequest: form(
    strictObject({
      calls: list(
        object({
          path: text(MAX.name),
          deadline_ms: whole(0, 999_999_999),
          request_id: Type.Optional(text(MAX.code)),
          body: Type.Unknown(),
        }),
        PORT_LIMITS.calls,
      ),
    }),
  ),
  fileRequest: form(
    strictObject({
      file: object({ clinic_id: Id, key_id: Id, file_id: Id }),
      range: nullable(object({ first: offset, last: offset })),
    }),
  ),
  fileRefusal: form(
    object({
      state: text(20, { enum: ['missing', 'revoked', 'elsewhere', 'unsatisfiable'] }),
      size_bytes: Type.Optional(Type.Integer({ minimum: 0 })),
      patient_ids: Type.Optional(patientIds),
    }),
  ),
}

function form<S extends TSchema>(schema: S) {
  let compiled: ReturnType<typeof Compile> | undefined
  return {
    schema,
    accepts(value: unknown): value is Static<S> {
      compiled ??= Compile(schema)
      return compiled.Check(value)
    },
  }
}
