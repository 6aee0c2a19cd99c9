// Two people in the same form: a change names what its form was opened on, and is refused when somebody else has saved since.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleOperations } from '@clinic-data/console-contract/console-operations'
import { sql, utcSession } from '@clinic-data/database'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { codesOf } from './approval-ground.ts'
import { connectApp, connecting } from './connecting.ts'
import { newPassword, openConsole } from './console-ground.ts'
import { integrationGround } from './integration-ground.ts'
import { inRole } from './people-ground.ts'

const { owner } = await testDatabase()
const { connect, token } = connecting(owner)
/** It is never asked here. */
const openId = {
  issuer: 'https://login.example',
  clientId: 'console',
  clientSecret: newPassword(),
  name: 'Clinic SSO',
  isRequired: false,
  groupsClaim: 'groups',
  scopes: 'openid email',
}
const opened = await openConsole(owner, { connect, openId })
const CHANGED = [409, 'conflict', 'changed_meanwhile']
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

test('a change is refused when somebody else has saved since its form was opened, and undoes nothing', async () => {
  const { noa, cookie, post, read, mint } = await integrationGround(opened, owner)
  const key = await mint('CRM', { expires_at: day(90), rate_limit: 100, networks: ['10.0.0.0/8'] })
  const connection = await connectApp(opened, { owner, cookie, token }, ['patients:read', 'calls:read'])
  const dan = await inRole(opened, owner, 'developer', noa.clinic)
  await post(`/integrations/${key.integration.id}`, { contact: 'Dana', notes: 'Weekly' })
  await post('/group-roles', { group: 'staff', role: 'developer' })
  const roleOf = async () => (await read('/people')).find(({ id }: { id: string }) => id === dan.id)
  const groupRole = async () => (await read('/group-roles'))[0]
  const life = async () => ({ days: (await read('/session')).longest_life_days })
  const keyPath = `/keys/${key.id}`
  const forms: [path: string, look: () => Promise<object>, theirs: object, mine: object][] = [
    [keyPath, () => read(keyPath), { networks: ['10.1.0.0/16'] }, { rate_limit: 50 }],
    [keyPath, () => read(keyPath), { expires_at: day(60) }, { networks: ['10.2.0.0/16'] }],
    [keyPath, () => read(keyPath), { name: 'Desk' }, { expires_at: null }],
    [
      `/connections/${connection.id}`,
      () => read(`/connections/${connection.id}`),
      { networks: ['10.0.0.9'] },
      { scopes: ['patients:read'] },
    ],
    [
      `/integrations/${key.integration.id}`,
      () => read(`/integrations/${key.integration.id}`),
      { notes: 'Daily' },
      { contact: null },
    ],
    ['/member-scopes', () => read('/member-scopes'), { scopes: [] }, { scopes: ['calls:read'] }],
    ['/longest-life', life, { days: 30 }, { days: 90 }],
    ['/connect/rule', () => read('/connect/rule'), { allowed: 'none' }, { allowed: 'verified' }],
    [`/people/${dan.id}/role`, roleOf, { role: 'auditor' }, { role: 'administrator' }],
    ['/group-roles', groupRole, { group: 'staff', role: 'member' }, { group: 'staff', role: 'auditor' }],
  ]
  for (const [path, look, theirs, mine] of forms) {
    const known = fieldsOf(path, await look())
    assert.equal((await post(path, theirs)).status, 200, path)
    const stored = await look()
    assert.deepEqual(codesOf(await post(path, { ...mine, known })), CHANGED, path)
    assert.deepEqual(fieldsOf(path, await look()), fieldsOf(path, stored), 'nothing is undone')
    const { status, payload } = await post(path, { ...mine, known: fieldsOf(path, stored) })
    assert.equal(status, 200, `${path} ${payload}`)
    assert.deepEqual(
      fieldsOf(path, await look()),
      { ...fieldsOf(path, stored), ...mine },
      `${path}: only what is sent changes`,
    )
  }
  assert.deepEqual(codesOf(await post('/sign-in-demand', { demand: 'any', known: { demand: 'passkey' } })), CHANGED)
  assert.equal((await post('/sign-in-demand', { demand: 'any', known: { demand: 'any' } })).status, 200)
  const paths = [...forms.map(([path]) => path), '/sign-in-demand']
  const knowing = Object.values(consoleOperations).filter(({ body }) => body !== null && 'known' in body.properties)
  assert.equal(new Set(paths).size, knowing.length, 'every operation that takes what is known')
})

/** The part of an answer that the operation changes. */
function fieldsOf(path: string, answer: object): Record<string, unknown> {
  const place = `/console/api${path}`.replace(/(keys|connections|integrations|people)\/[^/]+/, '$1/{id}')
  const operation = Object.values(consoleOperations).find((one) => one.method === 'POST' && one.path === place)
  const fields = Object.keys(operation?.body?.properties ?? assert.fail(place))
  return Object.fromEntries(Object.entries(answer).filter(([field]) => fields.includes(field)))
}

test('of two changes at the same moment the second is refused, and what the first has narrowed stays narrow', async () => {
  const { clinic_id, post, read } = await integrationGround(opened, owner)
  const { scopes } = await read('/member-scopes')
  let sent: ReturnType<typeof post> | undefined
  await owner.write(utcSession(clinic_id), async (tx) => {
    await tx.query(sql`update clinic set member_scopes = '{}' where clinic_id = ${clinic_id}`)
    sent = post('/member-scopes', { scopes: ['catalog:read', 'calls:read'], known: { scopes } })
    await doneOrWaiting(owner, tx, sent, '%update clinic set member_scopes%')
  })
  assert.deepEqual(codesOf(await (sent ?? assert.fail())), CHANGED)
  assert.deepEqual((await read('/member-scopes')).scopes, [])
})
