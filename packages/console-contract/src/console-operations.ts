// The operations of the console. Routes, validators, serializers and the page's client are projections of these records.
import { MAX } from '@clinic-data/contract/limits'
import {
  choice,
  distinct,
  GivenName,
  list,
  nullable,
  object,
  strictObject,
  Type,
  text,
  trimmed,
  whole,
} from '@clinic-data/contract/schema'
import { allScopes } from '@clinic-data/contract/scopes'
import { alertOperations } from './alerts/alert-operations.ts'
import { appRuleOperations } from './app-rule-operations.ts'
import { approvalOperations } from './approval-operations.ts'
import { clinicOperations } from './clinic-operations.ts'
import { connectOperations } from './connect-operations.ts'
import {
  ACTORS,
  ActivityExport,
  ActivityPage,
  ActivityQuery,
  Actor,
  FoundPatients,
  PatientSearch,
  Usage,
  UsageQuery,
} from './console-activity.ts'
import { type ConsoleOperation, consoleOperation } from './console-operation.ts'
import {
  CONSOLE_KEYS,
  ConsoleKey,
  ConsoleSession,
  IntegrationChoice,
  MintedConsoleKey,
  Networks,
} from './console-resources.ts'
import { integrationOperations } from './integration-operations.ts'
import { keyOperations } from './key-operations.ts'
import { pairingOperations } from './pairing-operations.ts'
import { patientOperations } from './patients/patient-operations.ts'
import { peopleOperations } from './people-operations.ts'
import { confirmOperations, GivenPassword, NewPassword } from './sign-in/confirm-operations.ts'
import { groupRoleOperations } from './sign-in/group-role-operations.ts'
import { openIdOperations } from './sign-in/openid-operations.ts'
import { passkeyOperations } from './sign-in/passkey-operations.ts'
import { signInDemandOperations } from './sign-in/sign-in-demand-operations.ts'
import { webhookOperations } from './webhook-operations.ts'
import { weeklyMailOperations } from './weekly-mail-operations.ts'

/** A body holds some kilobytes. */
export const CONSOLE_BODY_BYTES = 64 * 1024

/**
 * A page of another site cannot send it without asking first, and is refused then. Every change needs it. `1`: in the clinic that was signed in to.
 * `at tavor`: in a clinic that is paired with it. A version that knows no pairings refuses that, so nothing is changed in the wrong clinic.
 */
export const CONSOLE_HEADER = 'x-console'

/** Whom the page shows: the id of an administrator. Somebody else may have signed in by another tab of the browser since, and is refused then. */
export const CONSOLE_READER_HEADER = 'x-console-reader'

/** On a read that the page makes by itself, to stay current. It does not count as a use of the session. */
export const CONSOLE_WATCH_HEADER = 'x-console-watch'

const ClinicId = text(63, { minLength: 1, ...trimmed })
/** In the body: an address would stand in logs. */
const LinkToken = strictObject({ token: text(MAX.external_id, { minLength: 1, ...trimmed }) })
const answers = object({ data: ConsoleSession })

const sessionOperations = {
  /** 401 with one text for every cause. 429 after too many failures of the account or the address. */
  signIn: consoleOperation({
    id: 'console.sign_in',
    method: 'POST',
    path: '/console/api/sign-in',
    access: 'anyone',
    audited: 'console.sign_in.password',
    body: strictObject({
      clinic_id: ClinicId,
      email: text(MAX.email, { minLength: 1, ...trimmed }),
      password: GivenPassword,
    }),
    output: answers,
  }),
  /** Tells whose session a link begins, and changes nothing. A link that signs nobody in is 401. */
  lookAtLink: consoleOperation({
    id: 'console.look_at_link',
    method: 'POST',
    path: '/console/api/sign-in/link/look',
    access: 'anyone',
    body: LinkToken,
    output: object({
      data: object({
        name: text(MAX.name),
        email: text(MAX.email),
        clinic: object({ clinic_id: text(63), name: text(MAX.name) }),
      }),
    }),
  }),
  /** A used, expired or unknown link is 401. */
  signInByLink: consoleOperation({
    id: 'console.sign_in_by_link',
    method: 'POST',
    path: '/console/api/sign-in/link',
    access: 'anyone',
    audited: 'console.sign_in.link',
    body: LinkToken,
    output: answers,
  }),
  session: consoleOperation({
    id: 'console.session',
    method: 'GET',
    path: '/console/api/session',
    output: answers,
  }),
  signOut: consoleOperation({
    id: 'console.sign_out',
    method: 'POST',
    path: '/console/api/sign-out',
    audited: 'console.sign_out',
    body: strictObject({ everywhere: Type.Optional(Type.Boolean()) }),
  }),
  /** Ends the administrator's other sessions. A wrong current password is 422. */
  setPassword: consoleOperation({
    id: 'console.password',
    method: 'POST',
    path: '/console/api/password',
    audited: 'console.password',
    body: strictObject({ current_password: Type.Optional(GivenPassword), password: NewPassword }),
  }),
  listKeys: consoleOperation({
    id: 'console.keys.list',
    method: 'GET',
    path: '/console/api/keys',
    output: object({ data: list(ConsoleKey, CONSOLE_KEYS) }),
  }),
  /** The same `Idempotency-Key` again is 409, and nothing is minted: the plaintext is shown once. */
  mintKey: consoleOperation({
    id: 'console.keys.mint',
    method: 'POST',
    path: '/console/api/keys',
    takesIdempotencyKey: true,
    audited: 'console.keys.mint',
    body: strictObject({
      name: GivenName,
      scopes: list(choice(allScopes), allScopes.length, { minItems: 1, ...distinct }),
      expires_at: Type.Optional(nullable(text(MAX.instant, { format: 'instant' }))),
      rate_limit: Type.Optional(nullable(whole(1, 1_000_000))),
      networks: Type.Optional(Networks),
      ...IntegrationChoice,
    }),
    output: object({ data: MintedConsoleKey }),
    status: 201,
  }),
  /** Answers when the key is refused everywhere. An unknown id, or another clinic's, is 404. */
  revokeKey: consoleOperation({
    id: 'console.keys.revoke',
    method: 'POST',
    path: '/console/api/keys/{id}/revoke',
    audited: 'console.keys.revoke',
    output: object({ data: ConsoleKey }),
  }),
  /** Latest first. Searches a bounded number of rows: a page with `searched_until` may hold few, and goes on by its cursor. */
  listActivity: consoleOperation({
    id: 'console.activity.list',
    method: 'GET',
    path: '/console/api/activity',
    query: ActivityQuery,
    output: ActivityPage,
  }),
  /**
   * All rows of a search, as lines. 422 for more than fits, 429 while another export of the clinic is under way. What ends without its last line was
   * cut off.
   */
  exportActivity: consoleOperation({
    id: 'console.activity.export',
    method: 'POST',
    path: '/console/api/activity/export',
    audited: 'console.activity.export',
    body: ActivityExport,
    status: 200,
  }),
  /** Finds patients, to ask who read their data. Each look-up has its row, with those it showed. A name or a phone stands in no address. */
  findPatients: consoleOperation({
    id: 'console.patients.find',
    method: 'POST',
    path: '/console/api/activity/patients',
    audited: 'console.patients.find',
    body: PatientSearch,
    output: object({ data: FoundPatients }),
  }),
  /** Whom the activity can be filtered by: keys, administrators and tokens, also those that have ended. */
  listActors: consoleOperation({
    id: 'console.activity.actors',
    method: 'GET',
    path: '/console/api/activity/actors',
    output: object({ data: list(Actor, ACTORS) }),
  }),
  usage: consoleOperation({
    id: 'console.activity.usage',
    method: 'GET',
    path: '/console/api/activity/usage',
    query: UsageQuery,
    output: object({ data: Usage }),
  }),
} as const

export const consoleOperations = {
  ...sessionOperations,
  ...passkeyOperations,
  ...openIdOperations,
  ...confirmOperations,
  ...webhookOperations,
  ...clinicOperations,
  ...connectOperations,
  ...peopleOperations,
  ...integrationOperations,
  ...keyOperations,
  ...appRuleOperations,
  ...signInDemandOperations,
  ...groupRoleOperations,
  ...weeklyMailOperations,
  ...approvalOperations,
  ...pairingOperations,
  ...alertOperations,
  ...patientOperations,
} as const

export const allConsoleOperations: readonly ConsoleOperation[] = Object.values(consoleOperations)
