// A receiver of webhooks in this process, which hands out what it got in its order.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { until } from '../until.ts'

export interface HookReceiver {
  url: string
  next: () => Promise<{ signature: string; body: string }>
  close: () => void
}

export async function hookReceiver(): Promise<HookReceiver> {
  const received: { signature: string; body: string }[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    response.writeHead(204).end()
    received.push({ signature: String(request.headers['x-service-signature'] ?? ''), body })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    next: () =>
      until(
        async () => received.shift() ?? null,
        () => 'no delivery came',
      ),
    close: () => server.close(),
  }
}
