// A webhook sender that is built on a job queue, beside our delivery engine, in turn on the same PostgreSQL.
//
//   node bench/peers/queues.ts <pg-boss|graphile-worker|bullmq|bullmq-durable> [--only burst,100,300,500,hung,worker,database] [--rounds 3] [--seconds 6]
//                              [--events 2000] [--at-once 128] [--batch 32] [--apart] [--sides ours,theirs]
//
// Installs the queue from the npm registry. Events of 1 KB, four clinics with five healthy subscriptions each.
import { parseArgs } from 'node:util'
import { installedPeer } from './installed-peer.ts'
import { type Crashed, crash } from './queue-crashes.ts'
import { openQueueGround } from './queue-ground.ts'
import { queuePeers } from './queue-peers.ts'
import { type Measured, measure } from './queue-scenarios.ts'
import { ourSide, peerSide } from './queue-side.ts'
import { openStore } from './queue-store.ts'
import { printTable } from './queue-table.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: 'burst,100,300,500,hung,worker,database' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '6' },
    events: { type: 'string', default: '2000' },
    'at-once': { type: 'string' },
    batch: { type: 'string' },
    apart: { type: 'boolean', default: false },
    sides: { type: 'string', default: 'ours,theirs' },
  },
})
const limits = { seconds: Number(options.seconds), events: Number(options.events) }
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
  const sides = { ours: ourSide(ground), theirs }
  const measured = new Map<string, Record<'ours' | 'theirs', Measured[]>>()
  const crashed = new Map<string, Record<'ours' | 'theirs', Crashed[]>>()
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const scenario of options.only.split(',')) {
      for (const which of options.sides.split(',') as ('ours' | 'theirs')[]) {
        const keep = <Figures>(all: Map<string, Record<'ours' | 'theirs', Figures[]>>, figures: Figures) => {
          const rounds = all.get(scenario) ?? { ours: [], theirs: [] }
          all.set(scenario, rounds)
          rounds[which].push(figures)
          process.stderr.write(`${scenario} ${which}: ${JSON.stringify(figures)}\n`)
        }
        const side = sides[which]
        if (scenario === 'worker' || scenario === 'database') keep(crashed, await crash(ground, side, scenario))
        else keep(measured, await measure(ground, side, { name: scenario, ...limits }))
      }
    }
  }
  printTable(`${name} ${Object.values(peer.packages)[0]}`, { measured, crashed })
  await theirs.end()
} finally {
  await store.close()
  await ground.close()
}
