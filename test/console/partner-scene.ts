// A clinic with partners, for the tests of their pages: a CRM whose webhook fails, an agency that brings leads, an agent that reads patients.
import { generateDemo } from '@clinic-data/demo/generate-demo'
import { freePort } from '@clinic-data/testing/free-port'
import type { ConsoleSite } from './site.ts'

export interface Partner {
  readonly id: string
  readonly key_id: string
  /** The key itself. */
  readonly key: string
}

/** Makes a key in the page's own session, and so its integration. */
export async function makePartner(site: ConsoleSite, name: string, scopes: readonly string[], more = {}) {
  const { id, key, integration } = await site.tab.run<{ id: string; key: string; integration: { id: string } }>(
    `fetch('/console/api/keys', { method: 'POST',
      headers: { 'x-console': '1', 'content-type': 'application/json', 'idempotency-key': String(Math.random()) },
      body: ${JSON.stringify(JSON.stringify({ name, scopes, ...more }))} })
      .then((answer) => answer.json()).then(({ data }) => data)`,
  )
  return { id: integration.id, key_id: id, key }
}

/** Sends a request as the partner's program does. */
export async function asks(site: ConsoleSite, { key }: Partner, path: string, body?: object): Promise<Response> {
  return fetch(`${site.baseUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': key.slice(-20) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

export async function fillWithPartners(site: ConsoleSite) {
  await generateDemo({ database: site.owner, clinic: site.clinic, patients: 20, seed: 1, now: new Date() })
  const soon = new Date(Date.now() + 5 * 86_400_000).toISOString()
  const crm = await makePartner(site, 'CRM', ['patients:read', 'appointments:read', 'webhooks:manage'])
  const agency = await makePartner(site, 'Agency', ['leads:write'], { expires_at: soon })
  const agent = await makePartner(site, 'Agent', ['patients:read', 'catalog:read', 'analytics:read'])
  // Nothing listens there.
  const url = `http://127.0.0.1:${await freePort()}/events`
  const made = await asks(site, crm, '/v1/webhooks', { url, event_types: ['appointment.created'] })
  const { data } = (await made.json()) as { data: { id: string } }
  await (await asks(site, crm, `/v1/webhooks/${data.id}/test`, { event_type: 'appointment.created' })).text()
  for (const partner of [crm, agent]) await (await asks(site, partner, '/v1/patients?limit=7')).text()
  return { crm, agency, agent, webhook: { id: data.id, url } }
}

/** The status that the service answers the partner's key. */
export const statusOf = async (site: ConsoleSite, { key }: Partner) => site.statusWith(key)
