// Receives webhooks: verifies each delivery, takes each event once, and answers at once; the work is done afterwards.
//
//   WEBHOOK_SECRET=whsec_… node examples/receive-webhooks.ts
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type EventEnvelope, verifyWebhook, WebhookVerificationError } from '@clinic-data/client'

const secret = process.env.WEBHOOK_SECRET ?? ''
/** In production a table with a unique id: what is remembered here is forgotten with the process. */
const seen = new Set<string>()

const server = createServer(async (request, response) => {
  try {
    const event = verifyWebhook({ secret, headers: request.headers, body: await buffer(request) })
    response.writeHead(204).end()
    if (seen.has(event.id)) return
    seen.add(event.id)
    setImmediate(work, event)
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end()
  }
})
server.listen(Number(process.env.PORT ?? 3000), () => console.log(`listening on ${JSON.stringify(server.address())}`))

function work({ type, data }: EventEnvelope): void {
  console.log(type, data.id)
}
