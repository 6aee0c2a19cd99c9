// The receiver of webhooks: answers 200, notes what came for whom, and can refuse.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Delivery } from './history.ts'

export interface Receiver {
  /** @param subscription - our own name of it. */
  urlFor(subscription: string): string
  close(): Promise<void>
}

/** @param refuses - whether this attempt for an event gets 500, and was no delivery. */
export async function startReceiver(
  note: (delivery: Delivery) => void,
  refuses: (event: string) => boolean = () => false,
): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const at = performance.now()
    const subscription = String(request.url).slice(1)
    try {
      const { id, type } = JSON.parse(await text(request))
      if (refuses(id)) response.statusCode = 500
      else note({ entry: 'delivery', subscription, event: id, type, at })
      response.end()
    } catch {
      // The sender was killed in the middle of its body: nothing was delivered.
      response.destroy()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    urlFor: (subscription) => `http://127.0.0.1:${port}/${subscription}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
