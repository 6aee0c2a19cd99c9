// Receives webhooks: verifies each delivery, answers at once, and does the work afterwards, once for each event.
//
//   WEBHOOK_SECRET=whsec_… node receive-webhooks.mjs
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook, WebhookVerificationError } from '@clinic-data/client'

const { WEBHOOK_SECRET: secret = '', PORT = '3000' } = process.env
if (secret === '') throw new Error('set WEBHOOK_SECRET to the secret in the answer that created the subscription')
/** In production, use a table with a unique id: this set is lost with the process. */
const seen = new Set()

const server = createServer(async (request, response) => {
  try {
    const event = verifyWebhook({
      secret,
      headers: request.headers,
      body: await buffer(request),
      // Without it, an old delivery that somebody caught could come again.
      requireSignedTimestamp: true,
    })
    response.writeHead(204).end()
    if (seen.has(event.id)) return
    seen.add(event.id)
    setImmediate(work, event)
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end()
  }
})
server.listen(Number(PORT), () => console.log(`listening on port ${server.address().port}`))

function work({ type, data }) {
  console.log(type, data.id)
}
