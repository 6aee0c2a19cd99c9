// A console over a ground of webhooks, for the tests of what it shows of subscriptions and deliveries.
import { signingKeys } from '@clinic-data/contract/secret-keys'
import { ask } from '@clinic-data/testing/grounds/ask'
import { storeKey } from '@clinic-data/testing/grounds/test-clinic'
import { newSecretKeys, webhookGround } from '@clinic-data/testing/grounds/webhook-ground'
import { openConsole, type Person, person, send, signedIn } from './console-ground.ts'

export const START = Date.parse('2026-07-12T06:30:00Z')
export const URL_OF_RECEIVER = 'https://crm.example.com/hooks'

/** An administrator whose clinic has one subscription. */
export type Subscribed = Person & { webhook: string; secret: string }

export async function webhookConsole() {
  const ground = await webhookGround()
  const { owner, app } = ground
  const secretKeys = newSecretKeys()
  const backend = ground.with({ secretKeys })
  const webhookKeys = signingKeys(secretKeys, 'webhook-secret')
  const opened = await openConsole(owner, { webhookKeys, now: ground.now })
  const setTime = (ms: number) => ground.at(new Date(ms).toISOString())

  /** A session lasts less long than a day of attempts, so each request has its own. */
  async function get(noa: Person, path: string) {
    return send(opened, path, { method: 'GET', cookie: await signedIn(opened, owner, noa) })
  }

  async function subscribed(): Promise<Subscribed> {
    setTime(START)
    const noa = await person(owner)
    await storeKey(owner, noa.clinic)
    const { data } = await ask(backend, noa.clinic, 'webhooks.create', { body: { url: URL_OF_RECEIVER } })
    return { ...noa, webhook: data.id, secret: data.secret }
  }

  const deliveriesOf = async ({ clinic, webhook }: Subscribed) =>
    (await ask(backend, clinic, 'webhooks.deliveries.list', { params: { id: webhook } })).data
  const listOf = async (noa: Subscribed, query = '') =>
    (await get(noa, `/webhooks/${noa.webhook}/deliveries${query}`)).json
  return { ground, owner, app, backend, opened, get, subscribed, setTime, deliveriesOf, listOf }
}
