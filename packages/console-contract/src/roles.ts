// Which role may do what in the console: one table for its own operations, one for those of the public contract, one for the scopes that a person
// may give to an app (docs/decisions/0096). An operation without a line does not compile.
import { allScopes, type Scope } from '@clinic-data/contract/scopes'
import type { consoleOperations } from './console-operations.ts'
import type { OpenOperationId } from './open-operations.ts'
import { type Role, roles } from './role-names.ts'

type Operations = typeof consoleOperations

/** Whoever signs in has no role yet. */
type AnyonesOperation =
  | 'signIn'
  | 'lookAtLink'
  | 'signInByLink'
  | 'signInByPasskey'
  | 'passkeySignInChallenge'
  | 'signInWays'
  | 'beginOpenId'
  | 'lookAtInvitation'
  | 'acceptInvitation'

export type SessionOperation = Exclude<keyof Operations, AnyonesOperation>

type Allowed = readonly Role[]

const everybody: Allowed = roles
const owners: Allowed = ['owner']
const managers: Allowed = ['owner', 'administrator']
const builders: Allowed = ['owner', 'administrator', 'developer']
const readers: Allowed = ['owner', 'administrator', 'auditor']
/** Whoever may connect apps. What a member may give them, the clinic says. */
const connecting: Allowed = ['owner', 'administrator', 'member']

export const rolesOf: { readonly [Name in SessionOperation]: Allowed } = {
  session: everybody,
  signOut: everybody,
  setPassword: everybody,
  confirmByPassword: everybody,
  confirmChallenge: everybody,
  confirmByPasskey: everybody,
  confirmByProvider: everybody,
  listPasskeys: everybody,
  passkeyChallenge: everybody,
  addPasskey: everybody,
  removePasskey: everybody,

  listPairings: everybody,
  offerPairing: everybody,
  pair: everybody,
  refusePairing: everybody,
  endPairing: everybody,
  openPaired: everybody,
  endPersonPairings: owners,

  listPeople: owners,
  changeRole: owners,
  disablePerson: owners,
  removePerson: owners,
  listPersonSessions: owners,
  endPersonSessions: owners,
  endPersonConnections: owners,
  invite: owners,
  withdrawInvitation: owners,
  signInRule: owners,
  setSignInRule: owners,
  groupRoles: owners,
  setGroupRole: owners,
  // Who owes, and who has not come: those of the page that asks it.
  listPatients: owners,
  // A person's whole record in one file, and what nobody can undo.
  exportPatient: owners,
  lookAtErasure: owners,
  erasePatient: owners,
  memberScopes: managers,
  setMemberScopes: managers,

  listKeys: managers,
  mintKey: managers,
  revokeKey: managers,
  listTokens: managers,
  mintToken: managers,
  revokeToken: managers,
  clinicSettings: managers,
  workingHours: managers,
  chatSending: managers,
  actInDemo: managers,
  watchDemo: managers,

  lookAtRequest: connecting,
  allowRequest: connecting,
  refuseRequest: connecting,
  lookAtDevice: connecting,
  allowDevice: connecting,
  refuseDevice: connecting,
  listConnections: connecting,
  connection: connecting,
  changeConnection: connecting,
  endConnection: connecting,
  appRule: managers,
  setAppRule: managers,
  setLongestLife: managers,

  // A member sees what it has asked for itself.
  listApprovals: connecting,
  withdrawApproval: connecting,
  approve: managers,
  refuseApproval: managers,
  setApprovalRule: owners,

  home: builders,
  // It holds what the home page shows.
  weeklyMail: builders,
  setWeeklyMail: builders,
  listIntegrations: builders,
  integration: builders,
  createIntegration: managers,
  changeIntegration: managers,
  joinIntegration: managers,
  mergeIntegration: managers,
  stopIntegration: managers,
  resumeIntegration: managers,
  key: managers,
  changeKey: managers,

  webhookHealth: builders,
  listDeliveries: builders,
  // They show the bodies of events, and find events by a patient.
  findDeliveries: managers,
  recordEvents: managers,
  sentDelivery: managers,

  // They are sums of what an auditor reads row by row.
  listAlerts: readers,
  markAlertSeen: managers,
  stopRules: readers,
  setStopRule: owners,

  listActivity: readers,
  // The whole log in one file, which leaves the page.
  exportActivity: managers,
  findPatients: readers,
  listActors: readers,
  // Counts of requests, and nothing of a patient.
  usage: ['owner', 'administrator', 'developer', 'auditor'],
}

/** The fields that not everybody sees who may call their operation. They are null, or an empty list, for others. */
export const rolesOfField = {
  // Whom to call, and what somebody has noted for those who decide.
  contact: managers,
  notes: managers,
  // From where keys and connections work: whoever has stolen one would know from where to try it.
  networks: managers,
  addresses: managers,
  connected_from: managers,
} as const satisfies Readonly<Record<string, Allowed>>

/**
 * All that a session may do whose way of signing in is not the one that the clinic demands: see why, and sign in as it is demanded. No operation of the
 * public contract is among them.
 */
export const openWhileHeld: readonly SessionOperation[] = [
  'session',
  'signOut',
  // A first passkey asks for it, when the sign-in was long ago.
  'confirmByPassword',
  'listPasskeys',
  'passkeyChallenge',
  'addPasskey',
]

/**
 * The operations of the public contract, as the console opens them. Whoever says where a webhook goes can have every patient sent there, so a
 * developer works with those that others have made.
 */
export const rolesOfOpen: { readonly [Id in OpenOperationId]: Allowed } = {
  'me.get': builders,
  'webhooks.create': managers,
  'webhooks.list': builders,
  'webhooks.get': builders,
  'webhooks.update': managers,
  'webhooks.delete': managers,
  'webhooks.test': builders,
  'webhooks.replay': builders,
  'webhooks.secret.rotate': builders,
  'webhooks.deliveries.retry': builders,
  'metrics.describe': managers,
  'query.run': managers,
  'catalog.branches.list': managers,
  'catalog.providers.list': managers,
}

/** With these the contract's operations are called. */
const scopesOfRole: Readonly<Record<Role, readonly Scope[]>> = {
  owner: allScopes,
  administrator: allScopes,
  developer: ['webhooks:manage'],
  auditor: [],
  member: [],
}

export function scopesFor(role: Role): readonly Scope[] {
  return scopesOfRole[role]
}

/** They open nothing of a patient. `webhooks:manage` does: events carry whole patients. */
export const USUAL_MEMBER_SCOPES: readonly Scope[] = ['catalog:read']

/** Which scopes a person may give to an app. @param memberScopes what the clinic allows its members. */
export function scopesToGive(role: Role, memberScopes: readonly Scope[]): readonly Scope[] {
  if (managers.includes(role)) return allScopes
  return role === 'member' ? memberScopes : []
}

/** Whether a person may approve what others ask for. */
export const mayApprove = (role: Role) => rolesOf.approve.includes(role)

/** Whether a role makes somebody approve who did not, or an owner. Null: somebody without a role. */
export function opensApproving(role: Role, former: Role | null): boolean {
  return mayApprove(role) && (former === null || mayMore(role, former))
}

/** Whether a person sees what was unusual. */
export const maySeeAlerts = (role: Role) => rolesOf.listAlerts.includes(role)

/** Whether a role may do anything that another one may not. */
export function mayMore(role: Role, other: Role): boolean {
  const all = [...Object.values(rolesOf), ...Object.values(rolesOfOpen)]
  return all.some((allowed) => allowed.includes(role) && !allowed.includes(other))
}
