// Which operation gives power, and so asks who sits before the session: one table for the console's own operations, one for those of the public
// contract (docs/decisions/0107). What takes power away never asks. An operation without a line does not compile.
import type { OpenOperationId } from './open-operations.ts'
import type { SessionOperation } from './roles.ts'

/** So long a sign-in or a confirmation is the proof of who sits there. */
export const PROOF_MINUTES = 15

/**
 * `free`: never asks. `confirmed`: asks when the last proof is too old. `widening`: asks likewise, if it gives more than there is: its handler
 * compares. `without_password`: asks likewise, if the present password is not in the request.
 */
export type Care = 'free' | 'confirmed' | 'widening' | 'without_password'

export const careOf: { readonly [Name in SessionOperation]: Care } = {
  session: 'free',
  signOut: 'free',
  // The proof itself.
  confirmByPassword: 'free',
  confirmChallenge: 'free',
  confirmByPasskey: 'free',
  confirmByProvider: 'free',

  setPassword: 'without_password',
  listPasskeys: 'free',
  passkeyChallenge: 'confirmed',
  addPasskey: 'confirmed',
  removePasskey: 'free',

  listPairings: 'free',
  // Whoever finds a browser open could pair an account of their own with this one, and come back by it.
  offerPairing: 'confirmed',
  pair: 'confirmed',
  refusePairing: 'free',
  endPairing: 'free',
  // As much as was paired. What gives power there asks for a proof of its own.
  openPaired: 'free',
  endPersonPairings: 'free',

  listPeople: 'free',
  changeRole: 'widening',
  disablePerson: 'free',
  removePerson: 'free',
  listPersonSessions: 'free',
  endPersonSessions: 'free',
  endPersonConnections: 'free',
  invite: 'confirmed',
  withdrawInvitation: 'free',
  memberScopes: 'free',
  setMemberScopes: 'widening',

  listKeys: 'free',
  key: 'free',
  mintKey: 'confirmed',
  changeKey: 'widening',
  revokeKey: 'free',
  listTokens: 'free',
  mintToken: 'confirmed',
  revokeToken: 'free',
  clinicSettings: 'free',
  workingHours: 'free',
  chatSending: 'free',
  actInDemo: 'free',
  watchDemo: 'free',

  lookAtRequest: 'free',
  allowRequest: 'confirmed',
  refuseRequest: 'free',
  lookAtDevice: 'free',
  allowDevice: 'confirmed',
  refuseDevice: 'free',
  listConnections: 'free',
  connection: 'free',
  changeConnection: 'widening',
  endConnection: 'free',
  appRule: 'free',
  setAppRule: 'widening',
  setLongestLife: 'widening',
  signInRule: 'free',
  // Both ways: it opens the clinic to a weaker one, or shuts people out.
  setSignInRule: 'confirmed',
  groupRoles: 'free',
  setGroupRole: 'widening',

  listApprovals: 'free',
  withdrawApproval: 'free',
  approve: 'confirmed',
  refuseApproval: 'free',
  setApprovalRule: 'confirmed',

  home: 'free',
  weeklyMail: 'free',
  // It goes to the person's own address, and tells what the role shows anyway.
  setWeeklyMail: 'free',
  listIntegrations: 'free',
  integration: 'free',
  // An empty one, its name and whom to call: nobody may do more by them. Nor by belonging to another one.
  createIntegration: 'free',
  changeIntegration: 'free',
  joinIntegration: 'free',
  // It undoes no Stop.
  mergeIntegration: 'free',
  stopIntegration: 'free',
  resumeIntegration: 'confirmed',

  webhookHealth: 'free',
  listDeliveries: 'free',
  findDeliveries: 'free',
  recordEvents: 'free',
  sentDelivery: 'free',

  listAlerts: 'free',
  markAlertSeen: 'free',
  stopRules: 'free',
  // Both ways: it lets a rule cut a partner off, or takes a guard away.
  setStopRule: 'confirmed',

  listActivity: 'free',
  // Whoever finds a browser open would take the whole log along.
  exportActivity: 'confirmed',
  findPatients: 'free',
  listPatients: 'free',
  exportPatient: 'confirmed',
  // Counts, and no word of the patient.
  lookAtErasure: 'free',
  erasePatient: 'confirmed',
  listActors: 'free',
  usage: 'free',
}

export const careOfOpen: { readonly [Id in OpenOperationId]: Exclude<Care, 'without_password'> } = {
  'me.get': 'free',
  'webhooks.create': 'confirmed',
  'webhooks.list': 'free',
  'webhooks.get': 'free',
  // Another address, more events, or sending again.
  'webhooks.update': 'widening',
  'webhooks.delete': 'free',
  // These send to the address that was confirmed.
  'webhooks.test': 'free',
  'webhooks.replay': 'free',
  'webhooks.deliveries.retry': 'free',
  'webhooks.secret.rotate': 'confirmed',
  'metrics.describe': 'free',
  'query.run': 'free',
  'catalog.branches.list': 'free',
  'catalog.providers.list': 'free',
}
