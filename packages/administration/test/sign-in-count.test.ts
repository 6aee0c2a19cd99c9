// Sign-ins are counted by way and outcome, and refused ones stand in the log without filling it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FailedAttempts } from '@clinic-data/gateway/limits/failed-attempts'
import { metricsRoute, startMetrics } from '@clinic-data/server/private/prometheus'
import { IdentityProvider } from '@clinic-data/testing/receivers/identity-provider'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { metrics } from '@opentelemetry/api'
import Fastify from 'fastify'
import { Passkey } from './authenticator.ts'
import { newPassword, openConsole, person, send, signedIn } from './console-ground.ts'
import { signInWith } from './passkey-ground.ts'

// An earlier file in this process may have set its meters up.
metrics.disable()
const exporter = startMetrics()
const { owner } = await testDatabase()

test('sign-ins are counted by way and outcome, and a flood of refused ones is a line a minute without a name', async () => {
  const provider = await IdentityProvider.start()
  const counts: [object, string][] = []
  const log = { warn: (fields: object, line: string) => void counts.push([fields, line]), error: assert.fail }
  const opened = await openConsole(owner, {
    log,
    openId: provider.settings,
    failedSignIns: new FailedAttempts({ limit: 2 }),
  })
  const noa = await person(owner)
  const { clinic_id } = noa.clinic
  await signedIn(opened, owner, noa)
  const refuse = (address = '192.0.2.1') =>
    send(opened, '/sign-in', {
      body: { clinic_id, email: noa.email, password: newPassword() },
      headers: { 'test-address': address },
    })
  for (const status of [401, 401, 429, 429]) assert.equal((await refuse()).status, status)
  const token = `${clinic_id}.${'a'.repeat(43)}`
  await send(opened, '/sign-in/link', { body: { token } })
  await send(opened, '/sign-in/link/look', { body: { token } })
  await send(opened, '/invitations/look', { body: { token } })
  await signInWith(opened, new Passkey(), 'x')
  await send(opened, '/sign-in/openid/return?error=access_denied', { method: 'GET' })
  await provider.close()
  const line = 'sign-ins to the console were refused'
  const first: unknown[] = ['password', 'link', 'invitation', 'passkey'].map((way) => [{ way, refused: 1 }, line])
  first.push([{ way: 'provider', refused: 1, reason: 'no attempt under way' }, line])
  assert.deepEqual(counts, first)
  opened.clock.advance(1)
  assert.equal((await refuse('192.0.2.2')).status, 401)
  assert.deepEqual(counts.slice(5), [[{ way: 'password', refused: 4 }, line]])
  const app = Fastify()
  metricsRoute(app, exporter)
  const { payload } = await app.inject('/metrics')
  const counted = [...payload.matchAll(/^console_sign_ins_total\{(.*)\} (\d+)/gm)].map(([, labels = '', count]) => {
    const label = (name: string) => new RegExp(`${name}="(\\w+)"`).exec(labels)?.[1]
    return `${label('way')} ${label('outcome')} ${count}`
  })
  assert.deepEqual(counted.filter((one) => !one.endsWith(' 0')).sort(), [
    ...[
      'invitation refused 1',
      'link begun 1',
      'link refused 2',
      'passkey refused 1',
      'password locked 2',
      'password refused 3',
    ],
    'provider refused 1',
  ])
  // One that is there before its first sign-in can be compared with itself.
  assert.equal(counted.length, 20)
})
