// A signed-in administrator with integrations, for the tests of these.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { type Database, sql } from '@clinic-data/database'
import { type Console, type Person, person, send, signedIn } from './console-ground.ts'

export async function integrationGround(opened: Console, owner: Database, clinic?: Person['clinic']) {
  const noa = await person(owner, clinic)
  const cookie = await signedIn(opened, owner, noa)
  const post = (path: string, body?: object) =>
    send(opened, path, { cookie, ...(body && { body }), headers: { 'idempotency-key': randomUUID() } })
  const get = (path: string) => send(opened, path, { method: 'GET', cookie })
  const read = async (path: string) => {
    const { status, json } = await get(path)
    assert.equal(status, 200, JSON.stringify(json))
    return json.data
  }
  const mint = async (name = 'CRM', more: object = {}) => {
    const { status, json } = await post('/keys', { name, scopes: ['patients:read'], ...more })
    assert.equal(status, 201, JSON.stringify(json))
    return json.data as { id: string; key: string; integration: { id: string; name: string } }
  }
  const stop = async (id: string) => {
    const { status, json } = await post(`/integrations/${id}/stop`)
    assert.equal(status, 200, JSON.stringify(json))
    return json.data
  }
  const resume = async (id: string) => {
    const { status, json } = await post(`/integrations/${id}/resume`)
    assert.equal(status, 200, JSON.stringify(json))
    return json.data
  }
  return { noa, clinic: noa.clinic, clinic_id: noa.clinic.clinic_id, cookie, post, get, read, mint, stop, resume }
}

/** As the version before stores it: without an integration. */
export async function storeWebhook(
  owner: Database,
  clinic_id: string,
  {
    id = `wh_${randomBytes(4).toString('hex')}`,
    made_by = null as string | null,
    integration_id = null as string | null,
  } = {},
): Promise<string> {
  await owner.query(sql`insert into subscription
      (clinic_id, id, url, event_types, secret, secret_last_characters, created_at, made_by, integration_id)
    values (${clinic_id}, ${id}, ${urlOfStored(id)}, '{}', ${randomBytes(8)}, 'abcd', now(),
      ${made_by}, ${integration_id})`)
  await owner.query(sql`insert into lane (clinic_id, subscription_id) values (${clinic_id}, ${id})`)
  return id
}

export function urlOfStored(id: string): string {
  return `https://${id.replace('_', '-')}.example/hook`
}

export async function webhookOf(owner: Database, clinic_id: string, id: string) {
  const { rows } = await owner.query<{
    enabled: boolean
    is_paused: boolean
    disabled_reason: string | null
    integration_id: string
    made_by: string | null
  }>(sql`
    select enabled, is_paused, disabled_reason, integration_id, made_by from subscription where clinic_id = ${clinic_id} and id = ${id}`)
  return rows[0] ?? assert.fail('no such webhook')
}
