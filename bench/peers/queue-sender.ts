// A webhook sender as one builds it on a job queue in an afternoon: one job for each event and subscription, a signed POST over kept
// connections, and the queue's own retries.
//
//   node bench/peers/queue-sender.ts <peer> <its packages' folder> <its database> <settings as JSON> <targets as JSON>
import { standardSignature } from '@clinic-data/contract/webhook-signature'
import { Agent, request } from 'undici'
import { groupOf, type Job, type Settings } from './queue.ts'
import { queuePeers } from './queue-peers.ts'

/** A subscription's endpoint and secret. */
export interface QueueTarget {
  readonly url: string
  readonly secret: string
}

const ATTEMPT_MS = 15_000

const [name = '', folder = '', address = '', settingsText = '', targetsText = ''] = process.argv.slice(2)
const settings = JSON.parse(settingsText) as Settings
const targets = JSON.parse(targetsText) as Record<string, QueueTarget>
const agent = new Agent({ connections: 64, pipelining: 1 })

const queue = await queuePeers[name]?.open({ folder, address, settings })
if (queue === undefined) throw new Error(`there is no peer ${name}`)
await queue.work(send, Object.keys(targets))
process.send?.({ ready: true })
process.on('disconnect', () => process.exit())

async function send(job: Job): Promise<void> {
  const target = targets[groupOf(job)]
  if (target === undefined) return
  const { event_id: id, body } = job
  const timestamp = String(Math.floor(Date.now() / 1000))
  const answer = await request(target.url, {
    dispatcher: agent,
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': standardSignature(target.secret, { id, timestamp, body }),
    },
    body,
    signal: AbortSignal.timeout(ATTEMPT_MS),
  })
  await answer.body.dump()
  if (answer.statusCode < 200 || answer.statusCode > 299) throw new Error(`the endpoint answered ${answer.statusCode}`)
}
