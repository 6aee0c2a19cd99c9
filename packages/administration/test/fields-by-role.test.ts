// Each role, and each field of an integration that not everybody sees: the service leaves it out, whatever the page shows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appendAudit } from '@clinic-data/audit/audit'
import { type Role, roles } from '@clinic-data/console-contract/role-names'
import { sql } from '@clinic-data/database'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { connectApp, connecting } from './connecting.ts'
import { audited, openConsole, send } from './console-ground.ts'
import { integrationGround } from './integration-ground.ts'
import { inRole } from './people-ground.ts'

const { owner } = await testDatabase()
const { connect, token } = connecting(owner)
const opened = await openConsole(owner, { connect })

const SECRET = 'Dan, 03-555-0100, owes us a contract'
const FROM = '203.0.113.77'

test('whom to call, notes, networks and addresses are in the answers to owners and administrators alone', async () => {
  const { clinic, clinic_id, cookie, mint, post, noa } = await integrationGround(opened, owner)
  const { id, integration } = await mint('CRM', { networks: ['203.0.113.0/24'] })
  const app = await connectApp(opened, { owner, cookie, token }, ['patients:read'], { integration_id: integration.id })
  await post(`/connections/${app.id}`, { networks: ['203.0.113.0/25'] })
  await post(`/integrations/${integration.id}`, { contact: SECRET, notes: SECRET })
  await owner.query(sql`update connection set connected_from = ${FROM} where clinic_id = ${clinic_id}`)
  const row = {
    at: new Date().toISOString(),
    clinic_id,
    key_id: id,
    surface: 'rest' as const,
    resource_ids: [],
    count: 0,
  }
  const asked = { operation: 'patients.list', patient_ids: [], status: 200, request_id: 'r', address: FROM }
  await appendAudit(owner, [{ ...row, ...asked }])
  await owner.query(sql`update api_key set last_used_at = now() where clinic_id = ${clinic_id} and id = ${id}`)
  const seeing: Role[] = []
  for (const role of roles) {
    const person = role === 'owner' ? { ...noa, cookie } : await inRole(opened, owner, role, clinic)
    const read = async (path: string) => {
      const { status, json } = await send(opened, path, { method: 'GET', cookie: person.cookie })
      return status === 200 ? JSON.stringify(json) : ''
    }
    const answers = await Promise.all(['/home', '/integrations', `/integrations/${integration.id}`].map(read))
    const all = answers.join()
    const sees = [SECRET, FROM, '203.0.113.0/24', '203.0.113.0/25'].map((text) => all.includes(text))
    assert.equal(new Set(sees).size, 1, `${role}: ${sees}`)
    if (sees[0]) seeing.push(role)
    // The page itself is a developer's, too.
    assert.equal(answers[2] !== '', ['owner', 'administrator', 'developer'].includes(role), role)
  }
  assert.deepEqual(seeing, ['owner', 'administrator'])
})

test('an owner ends all apps of a person whose role came from a group, and the person stays', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const dana = await inRole(opened, owner, 'administrator', noa.clinic)
  const { clinic_id } = noa.clinic
  const theirs = [
    await connectApp(opened, { owner, cookie: dana.cookie, token }),
    await connectApp(opened, { owner, cookie: dana.cookie, token }),
  ]
  const own = await connectApp(opened, { owner, cookie: noa.cookie, token })
  await owner.query(
    sql`update administrator set role_group = 'staff' where clinic_id = ${clinic_id} and id = ${dana.id}`,
  )
  const people = async () => (await send(opened, '/people', { method: 'GET', cookie: noa.cookie })).json.data
  const shown = async () => {
    const found = (await people()).find(({ id }: { id: string }) => id === dana.id)
    return [found.role_group, found.connections, found.last_seen_at !== null, found.disabled_at]
  }
  assert.deepEqual(await shown(), ['staff', 2, true, null])
  const { status, json } = await send(opened, `/people/${dana.id}/connections/end`, { cookie: noa.cookie })
  assert.deepEqual([status, json.data.connections], [200, 0])
  assert.deepEqual(await shown(), ['staff', 0, true, null])
  for (const { client_id, tokens } of theirs)
    assert.equal(
      (await token({ grant_type: 'refresh_token', client_id, refresh_token: tokens.refresh_token ?? '' })).status,
      400,
    )
  const { client_id, tokens } = own
  const kept = await token({ grant_type: 'refresh_token', client_id, refresh_token: tokens.refresh_token ?? '' })
  assert.equal(kept.status, 200)
  const row = (await audited(owner, noa.clinic)).findLast(({ operation }) => operation.endsWith('connections.end'))
  assert.deepEqual(row?.resource_ids.toSorted(), [dana.id, ...theirs.map(({ id }) => id)].toSorted())
  assert.equal((await send(opened, '/people/adm_nobody/connections/end', { cookie: noa.cookie })).status, 404)
})
