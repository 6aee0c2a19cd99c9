// Every change of the console and its row in the audit log stand or fall together, and the console's own login may make each of them.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { consoleOperations } from '@clinic-data/console-contract/console-operations'
import { sql, utcSession } from '@clinic-data/database'
import { ownDatabase } from '@clinic-data/testing/run/test-database'
import { makeSignInLink } from '../src/administrators.ts'
import { listKeys } from '../src/credentials/keys.ts'
import { MANY_PATIENTS, storeAlert } from './alert-ground.ts'
import { approvalGround, KEY } from './approval-ground.ts'
import { Passkey } from './authenticator.ts'
import { connectApp, connecting, once, requestOf, storeApp, storeDevice } from './connecting.ts'
import { audited, newPassword, openConsole, person, type Sent, send, signedIn, withPassword } from './console-ground.ts'
import { pairingGround } from './pairing-ground.ts'
import { addPasskey, challengeToAdd, challengeToSignIn } from './passkey-ground.ts'
import { rightsOver, storePatient } from './patient-ground.ts'
import { INVITED, invitationBy, type SignedPerson } from './people-ground.ts'

const { owner, ownerUrl, openForConsole } = await ownDatabase()
const { patientRights } = await rightsOver(owner, ownerUrl)
const consoleDatabase = await openForConsole()
const quiet = { warn: () => undefined, error: () => undefined }
/** In the clinic of the test a branch opens. */
const demo = {
  clinic_id: '',
  act: async (name: string) => {
    const insert = sql`insert into branch (clinic_id, id, name) values (${demo.clinic_id}, ${randomUUID()}, ${name})`
    await owner.write(utcSession(demo.clinic_id), (tx) => tx.query(insert))
  },
}
const { connect, token: takeTokens } = connecting(consoleDatabase)
const opened = await openConsole(consoleDatabase, {
  log: quiet,
  demo,
  connect,
  patientRights,
  mail: { send: async () => undefined },
})
const { demand, mint, listed } = approvalGround(owner, opened)
const { member, offer, pair, idOf } = pairingGround(owner, opened)

/** Rows about changes of a clinic cannot be stored, until the returned function is called. Rows about refusals can. */
async function refuseRows(clinic_id: string): Promise<() => Promise<void>> {
  const alter = (what: string) => owner.maintain((tx) => tx.script(`alter table audit ${what}`))
  await alter(`add constraint refused_${clinic_id} check (clinic_id <> '${clinic_id}' or status >= 400) not valid`)
  return () => alter(`drop constraint refused_${clinic_id}`)
}

/** Everything that a change of the console can change. */
async function stateOf(clinic_id: string, app_id: string) {
  const of = (columns: string, table: string) => {
    const names = columns.split(' ').map((name) => sql.identifier(name))
    const order = sql.join(names)
    return owner.read(
      utcSession(clinic_id),
      sql`select ${order} from ${sql.identifier(table)} where clinic_id = ${clinic_id} order by ${order}`,
    )
  }
  return {
    keys: await listKeys(owner, clinic_id),
    sessions: await of('token_hash by_link by_passkey proven_at proven_by', 'administrator_session'),
    links: await of('token_hash used_at', 'sign_in_link'),
    people: await of('id password role disabled_at removed_at', 'administrator'),
    invitations: await of('id accepted_at withdrawn_at', 'invitation'),
    memberScopes: await of('member_scopes', 'clinic'),
    passkeys: await of('id counter', 'passkey'),
    patients: await of('id first_name', 'patient'),
    branches: await of('id name', 'branch'),
    tokens: await of('id revoked_at', 'ingest_token'),
    connections: await of('id end_reason', 'connection'),
    rules: await of('allowed_apps longest_life_days needs_approval sign_in_demand', 'clinic'),
    approvals: await of('id is_approved withdrawn_at', 'approval'),
    pairings: await of('id administrator_id other_clinic_id', 'pairing'),
    groupRoles: await of('group_name role', 'group_role'),
    alerts: await of('id seen_at', 'audit_alert'),
    stopRules: await of('rule', 'stop_rule'),
    weeklyMails: await of('administrator_id language', 'weekly_mail'),
    codes: await of('token_hash', 'connection_token'),
    keyRows: await of('id name scopes expires_at revoked_at stopped_at integration_id', 'api_key'),
    integrations: await of('id name contact stopped_at', 'integration'),
    devices: (
      await owner.query(sql`select user_code, state from device_request where app_id = ${app_id} order by user_code`)
    ).rows,
  }
}

/** Somebody asks for keys that others have to approve. @returns the ids of the approvals. */
async function asking(who: SignedPerson, names: readonly string[]): Promise<string[]> {
  await demand(who, true)
  for (const name of names) await mint(who, { ...KEY, name })
  await demand(who, false)
  const { data } = await listed(who)
  return data.slice(0, names.length).map(({ id }: { id: string }) => id)
}

/** They change nothing here. Some show patients, another answers an app, others are about another clinic: all need a row as well. */
const CHANGE_NOTHING = [
  'findPatients',
  'listPatients',
  'exportPatient',
  'exportActivity',
  'lookAtErasure',
  'refuseRequest',
  'setSignInRule',
  'offerPairing',
  'openPaired',
]

test('a change whose audit row cannot be stored does not happen, and happens with its row as soon as it can', async (t) => {
  const noa = await person(owner)
  const { clinic_id } = noa.clinic
  demo.clinic_id = clinic_id
  const another = () => person(owner, noa.clinic)
  const { password } = await withPassword(opened, owner, noa)
  const cookie = await signedIn(opened, owner, noa)
  const minted = await send(opened, '/keys', {
    cookie,
    headers: { 'idempotency-key': randomUUID() },
    body: { name: 'Web site', scopes: ['patients:read'] },
  })
  const ingest = await send(opened, '/ingest-tokens', {
    cookie,
    headers: { 'idempotency-key': randomUUID() },
    body: { name: 'CRM' },
  })
  const merged = await send(opened, '/integrations', {
    cookie,
    headers: { 'idempotency-key': randomUUID() },
    body: { name: 'Second' },
  })
  const { token } = await makeSignInLink(owner, { clinic_id, id: noa.id, now: new Date() })
  const [passkey, added] = [new Passkey(), new Passkey()]
  const { id, user_handle } = await addPasskey(opened, cookie, passkey)
  const adding = added.add((await challengeToAdd(opened, cookie)).challenge)
  const signing = await challengeToSignIn(opened)
  const confirming = (await send(opened, '/confirm/passkey/challenge', { cookie })).json.data
  const app = await storeApp(owner)
  const connection = await connectApp(opened, { owner, cookie, token: takeTokens }, ['patients:read', 'calls:read'])
  const [dan, eve, gil, ada] = [await another(), await another(), await another(), await another()]
  await connectApp(opened, { owner, cookie: await signedIn(opened, owner, dan), token: takeTokens })
  await signedIn(opened, owner, dan)
  const me = { ...noa, cookie }
  const withdrawn = await invitationBy(opened, me)
  const open = await invitationBy(opened, me, { ...INVITED, email: 'open@clinic.example' })
  const integration = `/integrations/${minted.json.data.integration.id}`
  const ofAda = await asking({ ...ada, cookie: await signedIn(opened, owner, ada) }, ['One', 'Two'])
  const [ofNoa = ''] = await asking(me, ['Three'])
  const [tavor, arbel, hermon] = [await member(), await member(), await member()]
  const byPassword = await member(noa.clinic)
  await pair(arbel, byPassword)
  await pair(hermon, { ...ada, cookie: await signedIn(opened, owner, ada) })
  await owner.query(sql`insert into group_role (clinic_id, group_name, role, created_at)
    values (${clinic_id}, 'staff', 'member', now())`)
  await storePatient(owner, noa.clinic, 'pat_1')
  const alert = await storeAlert(owner, clinic_id, { ...MANY_PATIENTS, key_id: minted.json.data.id })
  const granted = { scopes: ['patients:read'], days: 30 }
  const changes: Record<string, [path: string, sent: Sent]> = {
    mintKey: [
      '/keys',
      { cookie, headers: { 'idempotency-key': randomUUID() }, body: { name: 'Till', scopes: ['payments:read'] } },
    ],
    changeKey: [`/keys/${minted.json.data.id}`, { cookie, body: { name: 'New web site' } }],
    createIntegration: [
      '/integrations',
      { cookie, headers: { 'idempotency-key': randomUUID() }, body: { name: 'Agency', contact: 'Dan' } },
    ],
    changeIntegration: [integration, { cookie, body: { contact: 'Rina, 03-555-0100' } }],
    joinIntegration: [`${integration}/join`, { cookie, body: { ids: [connection.id] } }],
    mergeIntegration: [`${integration}/merge`, { cookie, body: { from: merged.json.data.id } }],
    stopIntegration: [`${integration}/stop`, { cookie }],
    resumeIntegration: [`${integration}/resume`, { cookie }],
    revokeKey: [`/keys/${minted.json.data.id}/revoke`, { cookie }],
    mintToken: ['/ingest-tokens', { cookie, headers: { 'idempotency-key': randomUUID() }, body: { name: 'Exchange' } }],
    revokeToken: [`/ingest-tokens/${ingest.json.data.id}/revoke`, { cookie }],
    signInByLink: ['/sign-in/link', { body: { token } }],
    signIn: ['/sign-in', { body: { clinic_id, email: noa.email, password } }],
    confirmByPassword: ['/confirm/password', { cookie, body: { password } }],
    confirmByPasskey: ['/confirm/passkey', { cookie, body: passkey.sign(confirming.challenge, user_handle) }],
    addPasskey: ['/passkeys', { cookie, body: { name: 'Phone', ...adding } }],
    signInByPasskey: [
      '/sign-in/passkey',
      { cookie: signing.cookie, body: passkey.sign(signing.challenge, user_handle) },
    ],
    removePasskey: [`/passkeys/${id}/remove`, { cookie }],
    setPassword: ['/password', { cookie, body: { current_password: password, password: newPassword() } }],
    actInDemo: ['/demo/actions', { cookie, body: { action: 'call' } }],
    findPatients: ['/activity/patients', { cookie, body: { words: 'Noa' } }],
    listPatients: ['/patients/list', { cookie, body: { words: 'Noa' } }],
    exportActivity: ['/activity/export', { cookie, body: { as: 'rows' } }],
    exportPatient: ['/patients/pat_1/export', { cookie, body: { include_doubtful: false } }],
    lookAtErasure: ['/patients/pat_1/erasure', { cookie, body: { include_doubtful: false } }],
    erasePatient: ['/patients/pat_1/erase', { cookie, body: { include_doubtful: false } }],
    allowRequest: ['/connect/allow', { cookie, headers: once(), body: { request: requestOf(app), ...granted } }],
    refuseRequest: ['/connect/refuse', { cookie, body: { request: requestOf(app) } }],
    allowDevice: [
      '/device/allow',
      { cookie, headers: once(), body: { user_code: await storeDevice(owner, app), ...granted } },
    ],
    refuseDevice: ['/device/refuse', { cookie, body: { user_code: await storeDevice(owner, app) } }],
    changeConnection: [`/connections/${connection.id}`, { cookie, body: { scopes: ['patients:read'] } }],
    endConnection: [`/connections/${connection.id}/end`, { cookie }],
    setMemberScopes: ['/member-scopes', { cookie, body: { scopes: ['patients:read'] } }],
    invite: ['/invitations', { cookie, body: { ...INVITED, email: 'new@clinic.example' } }],
    withdrawInvitation: [`/invitations/${withdrawn.invitation.id}/withdraw`, { cookie }],
    acceptInvitation: ['/invitations/accept', { body: { token: open.token, email: 'open@clinic.example' } }],
    endPersonConnections: [`/people/${dan.id}/connections/end`, { cookie }],
    changeRole: [`/people/${dan.id}/role`, { cookie, body: { role: 'member' } }],
    endPersonSessions: [`/people/${dan.id}/sessions/end`, { cookie, body: {} }],
    disablePerson: [`/people/${eve.id}/disable`, { cookie }],
    removePerson: [`/people/${gil.id}/remove`, { cookie }],
    setLongestLife: ['/longest-life', { cookie, body: { days: 90 } }],
    setSignInRule: ['/sign-in-demand', { cookie, body: { demand: 'any' } }],
    setGroupRole: ['/group-roles', { cookie, body: { group: 'staff', role: null } }],
    setWeeklyMail: ['/weekly-mail', { cookie, body: { language: 'he' } }],
    offerPairing: ['/pairings/offer', { cookie }],
    pair: ['/pairings', { cookie: `${cookie}; ${await offer(tavor)}` }],
    openPaired: [`/pairings/${await idOf(byPassword)}/open`, { cookie: byPassword.cookie }],
    endPairing: [`/pairings/${await idOf(byPassword)}/end`, { cookie: byPassword.cookie }],
    endPersonPairings: [`/people/${ada.id}/pairings/end`, { cookie }],
    setAppRule: ['/connect/rule', { cookie, body: { allowed: 'verified' } }],
    approve: [`/approvals/${ofAda[0]}/approve`, { cookie }],
    refuseApproval: [`/approvals/${ofAda[1]}/refuse`, { cookie }],
    withdrawApproval: [`/approvals/${ofNoa}/withdraw`, { cookie }],
    markAlertSeen: [`/alerts/${alert}/see`, { cookie }],
    setStopRule: ['/stop-rules', { cookie, body: { rule: 'silence', stops: true } }],
    setApprovalRule: ['/approval-rule', { cookie, body: { is_on: true } }],
    signOut: ['/sign-out', { cookie, body: {} }],
  }
  const known = Object.entries(consoleOperations).flatMap(([name, { audited, method }]) =>
    audited === null || method === 'GET' ? [] : [name],
  )
  assert.deepEqual(Object.keys(changes).sort(), known.sort())
  for (const [name, [path, sent]] of Object.entries(changes)) {
    await t.test(name, async () => {
      const before = await stateOf(clinic_id, app)
      const allow = await refuseRows(clinic_id)
      assert.equal((await send(opened, path, sent)).status, 500)
      assert.deepEqual(await stateOf(clinic_id, app), before)
      await allow()
      const rows = (await audited(owner, noa.clinic)).length
      const { status } = await send(opened, path, sent)
      assert.ok(status < 300, String(status))
      if (!CHANGE_NOTHING.includes(name)) assert.notDeepEqual(await stateOf(clinic_id, app), before)
      const added = (await audited(owner, noa.clinic)).slice(rows)
      assert.deepEqual(
        added.map((row) => row.status),
        [status],
      )
    })
  }
})
