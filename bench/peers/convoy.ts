// Convoy, a whole webhook engine in Go, beside our delivery engine, in turn on the same PostgreSQL.
//
//   PEER_SOURCE=<its source> node bench/peers/convoy.ts [--only burst,50,worker,hung,failing,database,outage-60] [--rounds 3] [--seconds 6] [--events 800]
//                                                       [--warm-up 400] [--beside 50] [--backlog 500] [--at-once 100] [--sides ours,theirs]
//
// Needs the Debian package redis-server, and Convoy's program in the folder of its source, built as its Dockerfile does, without its dashboard:
//
//   CGO_ENABLED=0 go build -ldflags="-w -s" -o convoy-bin ./cmd
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { convoySide } from './convoy-side.ts'
import { openConvoyStore } from './convoy-store.ts'
import { peerSource } from './peer-source.ts'
import { openQueueGround } from './queue-ground.ts'
import { playRounds, ROUND_OPTIONS } from './queue-rounds.ts'
import { ourSide } from './queue-side.ts'
import { printTable } from './queue-table.ts'

const COMMIT = '2b60cc652e1d4babc1857280d5911817960e83e7'

const { values: options } = parseArgs({
  options: {
    ...ROUND_OPTIONS,
    // Fewer of everything than with the others: it delivers some two hundred a second.
    only: { type: 'string', default: 'burst,50,worker,hung,failing,database,outage-60' },
    events: { type: 'string', default: '800' },
    'warm-up': { type: 'string', default: '400' },
    beside: { type: 'string', default: '50' },
    backlog: { type: 'string', default: '500' },
    'at-once': { type: 'string', default: '100' },
  },
})
const program = join(peerSource(COMMIT), 'convoy-bin')
const logs = join(import.meta.dirname, '..', '..', '.data', 'peers')
await mkdir(logs, { recursive: true })

const ground = await openQueueGround()
try {
  const store = await openConvoyStore(ground)
  try {
    const atOnce = Number(options['at-once'])
    const theirs = convoySide(ground, { program, store, atOnce, logFile: join(logs, 'convoy.log') })
    printTable(`convoy ${COMMIT.slice(0, 8)}`, await playRounds(ground, { ours: ourSide(ground), theirs }, options))
    await theirs.end()
  } finally {
    await store.close()
  }
} finally {
  await ground.close()
}
