// Makes what the tests of the console's webhooks share: a receiver, a subscription that is made as the form does, events, an entry of the
// menu.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import type { EventType } from '@clinic-data/contract'
import { emit } from '@clinic-data/webhooks'
import type { ConsoleSite } from './site.ts'
import type { UserActions } from './user-actions.ts'

export const firstRow = `document.querySelector('.delivery')`

export type Received = { headers: IncomingHttpHeaders; body: string }

/** Answers each delivery of a test with this status. Returns what it receives. */
export async function receiver(t: TestContext, port: number, status: () => number = () => 204) {
  const received: Received[] = []
  const server: Server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: (await buffer(request)).toString() })
    response.writeHead(status()).end('<script>document.title = "broken"</script>')
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return received
}

/** Makes a subscription as the form does, and opens its page. */
export async function subscribe(site: ConsoleSite, url: string): Promise<string> {
  const id = await site.tab.run<string>(`fetch('/console/api/v1/webhooks', { method: 'POST',
    headers: { 'x-console': '1', 'content-type': 'application/json', 'idempotency-key': String(Math.random()) },
    body: JSON.stringify({ url: ${JSON.stringify(url)} }) }).then((answer) => answer.json()).then(({ data }) => data.id)`)
  await site.go(`/console/webhooks?webhook=${id}`)
  await site.tab.until(`document.querySelector('main h1')?.textContent === ${JSON.stringify(url)}`)
  return id
}

export async function emitted(site: ConsoleSite, ...types: EventType[]): Promise<void> {
  const changes = types.map((type) => ({ type, data: '{"id":"x"}' }))
  await site.owner.write(site.clinic, (tx) => emit(tx, site.clinic, changes, new Date()))
}

/** Chooses an entry of the subscription's menu. */
export async function chosen(user: UserActions, action: string): Promise<void> {
  await user.press('Actions')
  await user.click(
    `[...document.querySelectorAll('[role=menuitem]')].find((one) => one.textContent.trim() === ${JSON.stringify(action)})`,
  )
}
