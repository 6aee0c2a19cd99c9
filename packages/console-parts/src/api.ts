// The typed client of the console's operations. Only their types and places come from the contract, so the page holds none of its schemas.

import type { Alert, StopRule } from '@clinic-data/console-contract/alert-operations'
import type { AppRule } from '@clinic-data/console-contract/app-rule-operations'
import type { Approval, ApprovalRule } from '@clinic-data/console-contract/approval-operations'
import type {
  ChatSending,
  ConsoleToken,
  MintedConsoleToken,
  WorkingHours,
} from '@clinic-data/console-contract/clinic-operations'
import type { AskedAccess, Connection, ConnectionUse } from '@clinic-data/console-contract/connect-operations'
import type { ActivityRow, Actor, FoundPatients, Usage } from '@clinic-data/console-contract/console-activity'
import type { consoleOperations } from '@clinic-data/console-contract/console-operations'
import { places } from '@clinic-data/console-contract/console-places'
import type { ConsoleKey, ConsoleSession, MintedConsoleKey } from '@clinic-data/console-contract/console-resources'
import type { GroupRole } from '@clinic-data/console-contract/group-role-operations'
import type {
  Home,
  Integration,
  IntegrationPage,
  IntegrationUse,
  StopAnswer,
} from '@clinic-data/console-contract/integration-operations'
import type { KeyPage } from '@clinic-data/console-contract/key-operations'
import type { Pairing } from '@clinic-data/console-contract/pairing-operations'
import type { ConsolePasskey } from '@clinic-data/console-contract/passkey-operations'
import type { LookedAtErasure, PatientErasure } from '@clinic-data/console-contract/patient-operations'
import type { ListedPatient, PatientQuestions } from '@clinic-data/console-contract/patient-questions'
import type { Invitation, Person, PersonSession } from '@clinic-data/console-contract/people-operations'
import type { Role } from '@clinic-data/console-contract/role-names'
import type { SignInRule } from '@clinic-data/console-contract/sign-in-demand-operations'
import type {
  RecordEvent,
  SentDelivery,
  ShownDelivery,
  WebhookHealth,
} from '@clinic-data/console-contract/webhook-operations'
import type { Static, TSchema } from '@clinic-data/contract/schema'
import { addressOf, ask, type Params } from './requests/ask.ts'

export type {
  ActivityRow,
  Actor,
  Alert,
  AppRule,
  Approval,
  ApprovalRule,
  AskedAccess as AccessRequest,
  ChatSending,
  Connection,
  ConnectionUse,
  ConsoleKey,
  ConsolePasskey,
  ConsoleSession,
  ConsoleToken,
  FoundPatients,
  GroupRole,
  Home,
  Integration,
  IntegrationPage,
  IntegrationUse,
  Invitation,
  KeyPage,
  ListedPatient,
  LookedAtErasure,
  MintedConsoleKey,
  MintedConsoleToken,
  Pairing,
  PatientErasure,
  PatientQuestions,
  Person,
  PersonSession,
  RecordEvent,
  Role,
  SentDelivery,
  ShownDelivery,
  SignInRule,
  StopAnswer,
  StopRule,
  Usage,
  WebhookHealth,
  WorkingHours,
}

type Operations = typeof consoleOperations
type Name = keyof Operations
type Bodied<Schema> = Schema extends TSchema ? Static<Schema> : undefined
export type BodyOf<N extends Name> = Bodied<Operations[N]['body']>
export type QueryOf<N extends Name> = Partial<Static<Operations[N]['query']>>
export type AnswerOf<N extends Name> = Bodied<Operations[N]['output']>

interface Sent<N extends Name> {
  params?: Params<Operations[N]['path']>
  query?: QueryOf<N>
  body?: BodyOf<N>
  idempotencyKey?: string
  isWatch?: boolean
  at?: string | null
  isForAnyone?: boolean
  isFile?: boolean
}

/** @throws RefusedError | UnreachableError */
function send<N extends Name>(name: N, { params, query, ...sent }: Sent<N>): Promise<unknown> {
  const [method, path] = places[name]
  return ask(addressOf(path, params ?? {}, query), { method, ...sent })
}

/** @throws RefusedError | UnreachableError */
async function call<N extends Name>(name: N, sent: Sent<N> = {}): Promise<AnswerOf<N>> {
  // The records say what each answer holds.
  return (await send(name, sent)) as AnswerOf<N>
}

export const api = {
  signIn: async (body: BodyOf<'signIn'>) => (await call('signIn', { body })).data,
  lookAtLink: async (token: string) => (await call('lookAtLink', { body: { token } })).data,
  signInByLink: async (token: string) => (await call('signInByLink', { body: { token } })).data,
  passkeySignInChallenge: async () => (await call('passkeySignInChallenge')).data,
  signInByPasskey: async (body: BodyOf<'signInByPasskey'>) => (await call('signInByPasskey', { body })).data,
  signInWays: async () => (await call('signInWays')).data,
  beginOpenId: async (clinic_id: string) => (await call('beginOpenId', { body: { clinic_id } })).data,
  session: async () => (await call('session', { isForAnyone: true })).data,
  /** Sent to the clinic that was signed in to: it closes the others too. */
  signOut: (everywhere: boolean) => call('signOut', { body: { everywhere }, at: null }),
  setPassword: (body: BodyOf<'setPassword'>) => call('setPassword', { body }),
  listKeys: async () => (await call('listKeys')).data,
  mintKey: async (body: BodyOf<'mintKey'>, idempotencyKey: string) =>
    (await call('mintKey', { body, idempotencyKey })).data,
  revokeKey: async (id: string) => (await call('revokeKey', { params: { id } })).data,
  key: async (id: string, isWatch: boolean) => (await call('key', { params: { id }, isWatch })).data,
  changeKey: async (id: string, body: BodyOf<'changeKey'>) => (await call('changeKey', { params: { id }, body })).data,
  home: async (isWatch: boolean) => (await call('home', { isWatch })).data,
  listIntegrations: async (isWatch: boolean) => (await call('listIntegrations', { isWatch })).data,
  integration: async (id: string, isWatch: boolean) => (await call('integration', { params: { id }, isWatch })).data,
  createIntegration: async (body: BodyOf<'createIntegration'>, idempotencyKey: string) =>
    (await call('createIntegration', { body, idempotencyKey })).data,
  changeIntegration: async (id: string, body: BodyOf<'changeIntegration'>) =>
    (await call('changeIntegration', { params: { id }, body })).data,
  joinIntegration: async (id: string, ids: readonly string[]) =>
    (await call('joinIntegration', { params: { id }, body: { ids: [...ids] } })).data,
  mergeIntegration: async (id: string, from: string) =>
    (await call('mergeIntegration', { params: { id }, body: { from } })).data,
  stopIntegration: async (id: string) => (await call('stopIntegration', { params: { id } })).data,
  resumeIntegration: async (id: string) => (await call('resumeIntegration', { params: { id } })).data,
  /** Sent to the clinic that was signed in to: it opens the others. */
  listPairings: () => call('listPairings', { at: null }),
  openPaired: (id: string) => call('openPaired', { params: { id }, at: null }),
  offerPairing: () => call('offerPairing', {}),
  pair: async () => (await call('pair')).data,
  refusePairing: () => call('refusePairing'),
  endPairing: (id: string) => call('endPairing', { params: { id }, at: null }),
  endPersonPairings: (id: string) => call('endPersonPairings', { params: { id } }),
  /** In this clinic, whichever the tab works in. */
  integrationsAt: async (at: string | null, isWatch: boolean) => (await call('listIntegrations', { at, isWatch })).data,
  stopIntegrationAt: async (at: string | null, id: string) =>
    (await call('stopIntegration', { params: { id }, at })).data,
  clinicSettings: async () => (await call('clinicSettings')).data,
  workingHours: async () => (await call('workingHours')).data,
  chatSending: async () => (await call('chatSending', { isWatch: true })).data,
  actInDemo: (action: BodyOf<'actInDemo'>['action']) => call('actInDemo', { body: { action } }),
  watchDemo: async () => (await call('watchDemo', { isWatch: true })).data,
  listTokens: async () => (await call('listTokens')).data,
  mintToken: async (body: BodyOf<'mintToken'>, idempotencyKey: string) =>
    (await call('mintToken', { body, idempotencyKey })).data,
  revokeToken: async (id: string) => (await call('revokeToken', { params: { id } })).data,
  webhookHealth: async () => (await call('webhookHealth', { isWatch: true })).data,
  listDeliveries: (id: string, query: QueryOf<'listDeliveries'>, isWatch: boolean) =>
    call('listDeliveries', { params: { id }, query, isWatch }),
  findDeliveries: (id: string, query: QueryOf<'findDeliveries'>) => call('findDeliveries', { params: { id }, query }),
  recordEvents: (query: QueryOf<'recordEvents'>) => call('recordEvents', { query }),
  sentDelivery: async (id: string, delivery_id: string) =>
    (await call('sentDelivery', { params: { id, delivery_id } })).data,
  confirmByPassword: (password: string) => call('confirmByPassword', { body: { password } }),
  confirmChallenge: async () => (await call('confirmChallenge')).data,
  confirmByPasskey: (body: BodyOf<'confirmByPasskey'>) => call('confirmByPasskey', { body }),
  confirmByProvider: async () => (await call('confirmByProvider')).data,
  listPasskeys: () => call('listPasskeys'),
  passkeyChallenge: async () => (await call('passkeyChallenge')).data,
  addPasskey: async (body: BodyOf<'addPasskey'>) => (await call('addPasskey', { body })).data,
  removePasskey: (id: string) => call('removePasskey', { params: { id } }),
  lookAtRequest: async (request: string) => (await call('lookAtRequest', { body: { request } })).data,
  allowRequest: async (body: BodyOf<'allowRequest'>, idempotencyKey: string) =>
    (await call('allowRequest', { body, idempotencyKey })).data,
  refuseRequest: async (request: string) => (await call('refuseRequest', { body: { request } })).data,
  lookAtDevice: async (user_code: string) => (await call('lookAtDevice', { body: { user_code } })).data,
  allowDevice: (body: BodyOf<'allowDevice'>, idempotencyKey: string) => call('allowDevice', { body, idempotencyKey }),
  refuseDevice: (user_code: string) => call('refuseDevice', { body: { user_code } }),
  listConnections: async (isWatch: boolean) => (await call('listConnections', { isWatch })).data,
  connection: async (id: string, isWatch: boolean) => (await call('connection', { params: { id }, isWatch })).data,
  changeConnection: async (id: string, body: BodyOf<'changeConnection'>) =>
    (await call('changeConnection', { params: { id }, body })).data,
  endConnection: async (id: string) => (await call('endConnection', { params: { id } })).data,
  listPeople: () => call('listPeople'),
  changeRole: (id: string, body: BodyOf<'changeRole'>) => call('changeRole', { params: { id }, body }),
  disablePerson: (id: string) => call('disablePerson', { params: { id } }),
  removePerson: (id: string) => call('removePerson', { params: { id } }),
  listPersonSessions: async (id: string) => (await call('listPersonSessions', { params: { id } })).data,
  endPersonConnections: (id: string) => call('endPersonConnections', { params: { id } }),
  endPersonSessions: (id: string, session_id?: string) =>
    call('endPersonSessions', { params: { id }, body: session_id === undefined ? {} : { session_id } }),
  invite: async (body: BodyOf<'invite'>) => (await call('invite', { body })).data,
  withdrawInvitation: (id: string) => call('withdrawInvitation', { params: { id } }),
  lookAtInvitation: async (token: string) => (await call('lookAtInvitation', { body: { token } })).data,
  acceptInvitation: async (body: BodyOf<'acceptInvitation'>) => (await call('acceptInvitation', { body })).data,
  memberScopes: async () => (await call('memberScopes')).data.scopes,
  setMemberScopes: (body: BodyOf<'setMemberScopes'>) => call('setMemberScopes', { body }),
  setLongestLife: (body: BodyOf<'setLongestLife'>) => call('setLongestLife', { body }),
  appRule: async () => (await call('appRule')).data,
  setAppRule: (body: BodyOf<'setAppRule'>) => call('setAppRule', { body }),
  signInRule: async () => (await call('signInRule')).data,
  setSignInRule: (body: BodyOf<'setSignInRule'>) => call('setSignInRule', { body }),
  groupRoles: () => call('groupRoles'),
  setGroupRole: (body: BodyOf<'setGroupRole'>) => call('setGroupRole', { body }),
  listApprovals: (isWatch: boolean) => call('listApprovals', { isWatch }),
  approve: async (id: string) => (await call('approve', { params: { id } })).data,
  refuseApproval: async (id: string) => (await call('refuseApproval', { params: { id } })).data,
  withdrawApproval: async (id: string) => (await call('withdrawApproval', { params: { id } })).data,
  setApprovalRule: async (is_on: boolean) => (await call('setApprovalRule', { body: { is_on } })).data,
  listAlerts: (query: QueryOf<'listAlerts'>, isWatch: boolean) => call('listAlerts', { query, isWatch }),
  markAlertSeen: async (id: string) => (await call('markAlertSeen', { params: { id } })).data,
  stopRules: async () => (await call('stopRules')).data,
  setStopRule: async (body: BodyOf<'setStopRule'>) => (await call('setStopRule', { body })).data,
  weeklyMail: async () => (await call('weeklyMail')).data,
  setWeeklyMail: async (language: BodyOf<'setWeeklyMail'>['language']) =>
    (await call('setWeeklyMail', { body: { language } })).data,
  listActivity: (query: QueryOf<'listActivity'>, isWatch: boolean) => call('listActivity', { query, isWatch }),
  findPatients: async (words: string) => (await call('findPatients', { body: { words } })).data,
  listPatients: (questions: BodyOf<'listPatients'>) => call('listPatients', { body: questions }),
  exportPatient: async (id: string, include_doubtful: boolean) =>
    (await send('exportPatient', { params: { id }, body: { include_doubtful }, isFile: true })) as Blob,
  lookAtErasure: async (id: string, include_doubtful: boolean) =>
    (await call('lookAtErasure', { params: { id }, body: { include_doubtful } })).data,
  erasePatient: async (id: string, include_doubtful: boolean) =>
    (await call('erasePatient', { params: { id }, body: { include_doubtful } })).data,
  listActors: async () => (await call('listActors')).data,
  usage: async (query: QueryOf<'usage'>, isWatch: boolean) => (await call('usage', { query, isWatch })).data,
}
