// Once it is answered that a connection has ended, no request with its tokens is accepted: not by a gateway that knew them a moment ago,
// and not by another machine.
import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createAdministrator } from '@clinic-data/administration/administrators'
import * as schema from '@clinic-data/backend/migrations'
import { endConnection } from '@clinic-data/connect/connections/change-connection'
import { listConnections } from '@clinic-data/connect/connections/connections'
import { allowRequest } from '@clinic-data/connect/consent/consent'
import { openApps } from '@clinic-data/connect/open-apps'
import { testClinic } from '@clinic-data/testing/grounds/test-clinic'
import { startClinicd } from '@clinic-data/testing/programs/clinicd-process'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { sized } from '@clinic-data/testing/run/size'
import { until } from '@clinic-data/testing/until'

const ROUNDS = sized({ everyday: 2, long: 10 })
/** Requests under way at any time. */
const AT_ONCE = 12

const { url, owner } = await ownGround(schema)
const BACKEND_TOKEN = randomBytes(24).toString('hex')
const shared = {
  BACKEND_TOKEN,
  CONSOLE_URL: 'https://console.clinic.example',
  SECRET_KEYS: `t:${randomBytes(32).toString('base64')}`,
  RATE_LIMIT: '1000000/60',
}
const backend = await startClinicd(['--role', 'backend'], { ...shared, DATABASE_URL: url })
const gateways = await Promise.all(
  [1, 2].map(() => startClinicd(['--role', 'gateway'], { ...shared, BACKEND_URL: backend.adminAddress })),
)
const [first, second] = gateways.map(({ address }) => address)
const baseUrl = first ?? assert.fail()
const settings = { database: owner, baseUrl, policy: 'any' as const, now: () => new Date() }
const { apps } = openApps(settings)

const clinic = await testClinic(owner)
const { id: administrator_id } = await createAdministrator(owner, {
  clinic_id: clinic.clinic_id,
  email: 'noa@clinic.example',
  name: 'Noa Levi',
  now: new Date(),
})
const redirect_uri = 'http://127.0.0.1:4321/callback'

async function connected(): Promise<string> {
  const verifier = randomBytes(32).toString('base64url')
  const request = new URLSearchParams({
    response_type: 'code',
    client_id: 'sc',
    redirect_uri,
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    scope: 'patients:read leads:write',
  })
  const person = { database: owner, clinic, administrator_id, now: new Date(), record: () => undefined }
  const scopes = ['patients:read', 'leads:write'] as const
  const allowed = { scopes: [...scopes], days: null, mint_request: randomUUID() }
  const answer = await allowRequest({ apps, baseUrl }, person, request.toString(), allowed)
  const form = {
    grant_type: 'authorization_code',
    client_id: 'sc',
    code_verifier: verifier,
    redirect_uri,
    code: new URL(answer).searchParams.get('code') ?? '',
  }
  const tokens = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  assert.equal(tokens.status, 200)
  const { access_token } = (await tokens.json()) as { access_token: string }
  return access_token
}

const lead = JSON.stringify({ first_name: 'Dana', last_name: 'Cohen', phone: '+972501234567', source: 'website' })
const send = (gateway: string | undefined, token: string, isWrite: boolean) =>
  fetch(`${gateway}/v1/${isWrite ? 'leads' : 'patients'}`, {
    ...(isWrite && { method: 'POST', body: lead }),
    headers: { authorization: `Bearer ${token}`, ...(isWrite && { 'content-type': 'application/json' }) },
  }).then(async (answer) => {
    await answer.arrayBuffer()
    return answer.status
  })

test('after the answer that it has ended, none of its requests is accepted, at either gateway', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const token = await connected()
    const seen: { sentAt: number; status: number }[] = []
    const stopping = new AbortController()
    const loops = Array.from({ length: AT_ONCE }, async (_, i) => {
      while (!stopping.signal.aborted) {
        const sentAt = performance.now()
        seen.push({ sentAt, status: await send(i % 2 === 0 ? first : second, token, i % 3 === 0) })
      }
    })
    await until(
      async () => seen.length > AT_ONCE * 4,
      () => 'no requests are answered',
    )
    const [connection] = await listConnections(owner, clinic, new Date())
    const id = connection?.id ?? assert.fail()
    await endConnection(owner, clinic, { id, now: new Date(), wait: undefined, record: () => undefined })
    const endedAt = performance.now()
    const isLater = ({ sentAt }: { sentAt: number }) => sentAt > endedAt
    await until(
      async () => seen.filter(isLater).length > AT_ONCE * 4,
      () => 'no later requests are answered',
    )
    stopping.abort()
    await Promise.all(loops)
    assert.deepEqual([...new Set(seen.filter(isLater).map(({ status }) => status))], [401], `round ${round + 1}`)
    const before = new Set(seen.filter((one) => !isLater(one)).map(({ status }) => status))
    assert.ok(before.has(200), `round ${round + 1}: ${[...before]}`)
  }
})
