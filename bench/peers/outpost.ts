// Outpost, a whole webhook engine in Go, beside our delivery engine, in turn on the same PostgreSQL.
//
//   PEER_SOURCE=<its source> node bench/peers/outpost.ts [--only burst,500,worker,hung,failing,database,outage-60] [--rounds 3] [--seconds 6] [--events 4000]
//                                                        [--warm-up 4000] [--beside 500] [--backlog 10000] [--at-once 128] [--sides ours,theirs]
//
// Needs Go, make, and the Debian packages redis-server and rabbitmq-server. Builds it in the folder of its source, by its own Makefile.
import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { outpostSide } from './outpost-side.ts'
import { openOutpostStore } from './outpost-store.ts'
import { peerSource } from './peer-source.ts'
import { openQueueGround } from './queue-ground.ts'
import { playRounds, ROUND_OPTIONS } from './queue-rounds.ts'
import { ourSide } from './queue-side.ts'
import { printTable } from './queue-table.ts'

const COMMIT = 'f67ae011b287ff2588cb06699d808a69bba6ab4d'

const { values: options } = parseArgs({
  options: {
    ...ROUND_OPTIONS,
    only: { type: 'string', default: 'burst,500,worker,hung,failing,database,outage-60' },
    'at-once': { type: 'string', default: '128' },
  },
})
const bin = built()
const logs = join(import.meta.dirname, '..', '..', '.data', 'peers')
await mkdir(logs, { recursive: true })

const ground = await openQueueGround()
try {
  const store = await openOutpostStore(ground)
  try {
    const atOnce = Number(options['at-once'])
    const theirs = outpostSide(ground, { bin, store, atOnce, logFile: join(logs, 'outpost.log') })
    printTable(`outpost ${COMMIT.slice(0, 8)}`, await playRounds(ground, { ours: ourSide(ground), theirs }, options))
    await theirs.end()
  } finally {
    await store.close()
  }
} finally {
  await ground.close()
}

/** @returns the folder of its programs. */
function built(): string {
  const source = peerSource(COMMIT)
  execFileSync('make', ['build/outpost', 'build/server'], { cwd: source, stdio: ['ignore', 'ignore', 'inherit'] })
  return join(source, 'bin')
}
