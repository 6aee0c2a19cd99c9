// Tests the table of roles operation by operation: whoever may is let in, and whoever may not gets 403 and changes nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleOperations } from '@clinic-data/console-contract/console-operations'
import { openOperations } from '@clinic-data/console-contract/open-operations'
import { roles } from '@clinic-data/console-contract/role-names'
import { rolesOf, rolesOfOpen, type SessionOperation, scopesFor } from '@clinic-data/console-contract/roles'
import { Grant } from '@clinic-data/contract'
import { filledPath } from '@clinic-data/contract/routes'
import { sql } from '@clinic-data/database'
import { problem } from '@clinic-data/testing/grounds/ask'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { CONSOLE_API } from '../src/routes/console-routes.ts'
import { principalOf } from '../src/routes/signed-in.ts'
import { cookieToken } from '../src/sessions/session-cookie.ts'
import { findSession } from '../src/sessions/sessions.ts'
import { connectApp, connecting, once, requestOf, storeApp, storeDevice } from './connecting.ts'
import { audited, newPassword, openConsole, type Person, send } from './console-ground.ts'
import { rightsOver, storePatient } from './patient-ground.ts'
import { INVITED, inRole, invitationBy, type SignedPerson } from './people-ground.ts'

const { owner, ownerUrl } = await testDatabase()
const { patientRights } = await rightsOver(owner, ownerUrl)
const { connect, token } = connecting(owner)
const opened = await openConsole(owner, { connect, patientRights })

const noa = await inRole(opened, owner, 'owner')
const people = await Promise.all(roles.slice(1).map((role) => inRole(opened, owner, role, noa.clinic)))
const byRole = new Map<string, SignedPerson>(roles.map((role, i) => [role, i === 0 ? noa : (people[i - 1] ?? noa)]))
const cookieOf = (role: string) => byRole.get(role)?.cookie ?? assert.fail(role)

const names = Object.keys(rolesOf) as SessionOperation[]

test('every operation that needs a session stands in the table, and an owner may do all of them', () => {
  const known = Object.entries(consoleOperations).flatMap(([name, { access }]) => (access === 'session' ? [name] : []))
  assert.deepEqual([...names].sort(), known.sort())
  const closed = [...names.map((name) => rolesOf[name]), ...Object.values(rolesOfOpen)].filter(
    (allowed) => !allowed.includes('owner'),
  )
  assert.deepEqual(closed, [])
})

/** What the clinic has, but for its log and the times of sessions. */
async function stateOf({ clinic: { clinic_id } }: Person) {
  const { rows } = await owner.query<{ table: string }>(sql`select c.relname as table from pg_class c
      join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attname = 'clinic_id'
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname not like 'audit%'
      and c.relname <> 'administrator_session' order by 1`)
  const state: Record<string, unknown> = {}
  for (const { table } of rows) {
    const found = await owner.query<{ row: string }>(sql`select t::text as row from ${sql.identifier(table)} t
      where clinic_id = ${clinic_id} order by 1`)
    state[table] = found.rows.map(({ row }) => row)
  }
  const { rows: sessions } = await owner.query(sql`select token_hash from administrator_session
    where clinic_id = ${clinic_id} order by 1`)
  return { ...state, sessions }
}

/** A body that an owner could send, for each operation that takes one. */
async function bodies() {
  const app = await storeApp(owner)
  const granted = { scopes: ['patients:read'], days: 30 }
  return {
    signOut: { everywhere: true },
    setPassword: { password: newPassword() },
    mintKey: { name: 'Till', scopes: ['patients:read'] },
    mintToken: { name: 'Exchange' },
    actInDemo: { action: 'call' },
    findPatients: { words: 'Noa' },
    listPatients: { owes_more_than: 0 },
    exportPatient: { include_doubtful: true },
    lookAtErasure: { include_doubtful: true },
    erasePatient: { include_doubtful: true },
    lookAtRequest: { request: requestOf(app) },
    allowRequest: { request: requestOf(app), ...granted },
    refuseRequest: { request: requestOf(app) },
    lookAtDevice: { user_code: await storeDevice(owner, app) },
    allowDevice: { user_code: await storeDevice(owner, app), ...granted },
    refuseDevice: { user_code: await storeDevice(owner, app) },
    changeConnection: { scopes: ['patients:read'] },
    changeRole: { role: 'owner' },
    endPersonSessions: {},
    setLongestLife: { days: 30 },
    confirmByPassword: { password: newPassword() },
    setMemberScopes: { scopes: ['patients:read'] },
    invite: INVITED,
    setSignInRule: { demand: 'any' },
    setGroupRole: { group: 'staff', role: null },
    setApprovalRule: { is_on: false },
    setStopRule: { rule: 'silence', stops: true },
    setWeeklyMail: { language: 'en' },
  } as Partial<Record<SessionOperation, object>>
}

/** Rows that the paths name, so that whoever is let in by mistake does something. */
async function rowsOf() {
  const { cookie } = noa
  const mint = (path: string, body: object) => send(opened, path, { cookie, body, headers: once() })
  const key = (await mint('/keys', { name: 'Till', scopes: ['patients:read'] })).json.data.id
  const ingest = (await mint('/ingest-tokens', { name: 'CRM' })).json.data.id
  const connection = (await connectApp(opened, { owner, cookie, token }, ['patients:read', 'calls:read'])).id
  const { invitation } = await invitationBy(opened, noa, { ...INVITED, email: 'open@clinic.example' })
  const other = await inRole(opened, owner, 'administrator', noa.clinic)
  await storePatient(owner, noa.clinic, 'pat_1')
  const ids: Partial<Record<SessionOperation, string>> = { revokeKey: key, revokeToken: ingest }
  for (const name of ['exportPatient', 'lookAtErasure', 'erasePatient'] as const) ids[name] = 'pat_1'
  for (const name of ['connection', 'changeConnection', 'endConnection'] as const) ids[name] = connection
  for (const name of [
    'changeRole',
    'disablePerson',
    'removePerson',
    'listPersonSessions',
    'endPersonSessions',
    'endPersonConnections',
  ] as const)
    ids[name] = other.id
  return { ...ids, withdrawInvitation: invitation.id }
}

test('an operation is open to its roles, and to every other one it is 403 and changes nothing', async () => {
  const [ids, sent] = [await rowsOf(), await bodies()]
  const before = await stateOf(noa)
  let refused = 0
  for (const name of names) {
    const operation = consoleOperations[name]
    const id = (ids as Record<string, string>)[name] ?? 'key_1'
    const path = filledPath(operation, { id, delivery_id: 'dlv_1' }).slice(CONSOLE_API.length)
    for (const role of roles) {
      const ask = (url: string, body?: object) =>
        send(opened, url, { method: operation.method, cookie: cookieOf(role), headers: once(), ...(body && { body }) })
      if (rolesOf[name].includes(role)) {
        // A fault of the form, which is looked at after the role.
        assert.notEqual((await ask(`${path}?surprise=1`)).status, 403, `${name} ${role}`)
        continue
      }
      refused++
      const { status, json } = await ask(path, sent[name])
      assert.deepEqual([status, json.code], [403, 'forbidden'], `${name} ${role}`)
      assert.match(json.detail, /^Only .*an? owner.* of the clinic may do this\. You are an? /)
    }
  }
  assert.ok(refused > 100)
  assert.deepEqual(await stateOf(noa), before)
  const rows = (await audited(owner, noa.clinic)).filter(({ status }) => status === 403)
  const changes = names.flatMap((name) => (consoleOperations[name].audited === null ? [] : [rolesOf[name]]))
  assert.equal(
    rows.length,
    changes.reduce((sum, allowed) => sum + roles.length - allowed.length, 0),
    'each is on record',
  )
})

test('an operation of the contract is open to its roles, with the scope that it needs, and to no other', async () => {
  for (const role of roles) {
    const found = cookieToken(cookieOf(role), false) ?? assert.fail('no cookie')
    const session = (await findSession(owner, found, { now: new Date(), isUse: true })) ?? assert.fail('no session')
    for (const operation of openOperations) {
      const grant = () => Grant.authorize(principalOf({ session, address: '192.0.2.1' }, operation), operation)
      if (rolesOfOpen[operation.id].includes(role)) assert.ok(grant().clinic.clinic_id)
      else assert.throws(grant, problem('forbidden'), `${operation.id} ${role}`)
    }
    assert.throws(() => principalOf({ session, address: '192.0.2.1' }, null), problem('forbidden'))
  }
})

test('no role but those who mint keys sees a patient by an operation of the contract', () => {
  assert.deepEqual(scopesFor('developer'), ['webhooks:manage'])
  for (const role of ['auditor', 'member'] as const) assert.deepEqual(scopesFor(role), [])
  // A webhook that a developer made would bring every patient to its address.
  for (const id of ['webhooks.create', 'webhooks.update'] as const)
    assert.deepEqual(rolesOfOpen[id], ['owner', 'administrator'])
})
