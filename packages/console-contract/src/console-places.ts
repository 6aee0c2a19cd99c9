// The method and path of each operation of the console, for the page: it takes them without the schemas.
import type { connectOperations } from './connect-operations.ts'
import type { consoleOperations } from './console-operations.ts'

type Operations = typeof consoleOperations & typeof connectOperations
type Place<N extends keyof Operations> = readonly [method: Operations[N]['method'], path: Operations[N]['path']]

/** The compiler compares each with its record. */
export const places: { readonly [N in keyof Operations]: Place<N> } = {
  signIn: ['POST', '/console/api/sign-in'],
  lookAtLink: ['POST', '/console/api/sign-in/link/look'],
  signInByLink: ['POST', '/console/api/sign-in/link'],
  session: ['GET', '/console/api/session'],
  signOut: ['POST', '/console/api/sign-out'],
  setPassword: ['POST', '/console/api/password'],
  listKeys: ['GET', '/console/api/keys'],
  mintKey: ['POST', '/console/api/keys'],
  revokeKey: ['POST', '/console/api/keys/{id}/revoke'],
  listActivity: ['GET', '/console/api/activity'],
  findPatients: ['POST', '/console/api/activity/patients'],
  listActors: ['GET', '/console/api/activity/actors'],
  usage: ['GET', '/console/api/activity/usage'],
  clinicSettings: ['GET', '/console/api/clinic'],
  workingHours: ['GET', '/console/api/clinic/working-hours'],
  chatSending: ['GET', '/console/api/clinic/chat-sending'],
  actInDemo: ['POST', '/console/api/demo/actions'],
  watchDemo: ['GET', '/console/api/demo/events'],
  listTokens: ['GET', '/console/api/ingest-tokens'],
  mintToken: ['POST', '/console/api/ingest-tokens'],
  revokeToken: ['POST', '/console/api/ingest-tokens/{id}/revoke'],
  webhookHealth: ['GET', '/console/api/webhooks/health'],
  listDeliveries: ['GET', '/console/api/webhooks/{id}/deliveries'],
  findDeliveries: ['GET', '/console/api/webhooks/{id}/found-deliveries'],
  sentDelivery: ['GET', '/console/api/webhooks/{id}/deliveries/{delivery_id}'],
  passkeySignInChallenge: ['POST', '/console/api/sign-in/passkey/challenge'],
  signInByPasskey: ['POST', '/console/api/sign-in/passkey'],
  signInWays: ['GET', '/console/api/sign-in/ways'],
  beginOpenId: ['POST', '/console/api/sign-in/openid'],
  listPasskeys: ['GET', '/console/api/passkeys'],
  passkeyChallenge: ['POST', '/console/api/passkeys/challenge'],
  addPasskey: ['POST', '/console/api/passkeys'],
  removePasskey: ['POST', '/console/api/passkeys/{id}/remove'],
  lookAtRequest: ['POST', '/console/api/connect/look'],
  allowRequest: ['POST', '/console/api/connect/allow'],
  refuseRequest: ['POST', '/console/api/connect/refuse'],
  lookAtDevice: ['POST', '/console/api/device/look'],
  allowDevice: ['POST', '/console/api/device/allow'],
  refuseDevice: ['POST', '/console/api/device/refuse'],
  listConnections: ['GET', '/console/api/connections'],
  connection: ['GET', '/console/api/connections/{id}'],
  changeConnection: ['POST', '/console/api/connections/{id}'],
  endConnection: ['POST', '/console/api/connections/{id}/end'],
}
