// A webhook sender that is built on a job queue, beside our delivery engine, in turn on the same PostgreSQL.
//
//   node bench/peers/queues.ts <pg-boss|graphile-worker|bullmq|bullmq-durable> [--only burst,100,300,500,hung,failing,worker,database,outage-60] [--rounds 3] [--seconds 6]
//                              [--events 4000] [--warm-up 4000] [--beside 500] [--backlog 10000] [--at-once 128] [--batch 32] [--apart] [--sides ours,theirs]
//
// Installs the queue from the npm registry. Events of 1 KB, four clinics with five healthy subscriptions each.
import { parseArgs } from 'node:util'
import { installedPeer } from './installed-peer.ts'
import { openQueueGround } from './queue-ground.ts'
import { queuePeers } from './queue-peers.ts'
import { playRounds, ROUND_OPTIONS } from './queue-rounds.ts'
import { ourSide, peerSide } from './queue-side.ts'
import { openStore } from './queue-store.ts'
import { printTable } from './queue-table.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...ROUND_OPTIONS,
    'at-once': { type: 'string' },
    batch: { type: 'string' },
    apart: { type: 'boolean', default: false },
  },
})
const name = positionals[0] ?? ''
const peer = queuePeers[name]
if (peer === undefined) throw new Error(`name one of ${Object.keys(queuePeers)}`)
const settings = {
  atOnce: Number(options['at-once'] ?? peer.settings.atOnce),
  batch: Number(options.batch ?? peer.settings.batch),
  apart: options.apart,
}
const folder = await installedPeer(Object.keys(peer.packages)[0] ?? name, peer.packages)

const ground = await openQueueGround()
const store = await openStore(ground, peer)
try {
  const theirs = peerSide(ground, { name, store, options: { folder, address: store.address, settings } })
  const results = await playRounds(ground, { ours: ourSide(ground), theirs }, options)
  printTable(`${name} ${Object.values(peer.packages)[0]}`, results)
  await theirs.end()
} finally {
  await store.close()
  await ground.close()
}
