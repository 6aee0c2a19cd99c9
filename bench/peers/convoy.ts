// Convoy, a whole webhook engine in Go, beside our delivery engine, in turn on the same PostgreSQL.
//
//   PEER_SOURCE=<its source> node bench/peers/convoy.ts [--only burst,50,worker,hung,failing,database,outage-60] [--rounds 3] [--seconds 6] [--events 800]
//                                                       [--warm-up 400] [--beside 50] [--backlog 500] [--at-once 100] [--sides ours,theirs]
//
// Needs the Debian package redis-server, and Convoy's program in the folder of its source, built as its Dockerfile does, without its dashboard:
//
//   CGO_ENABLED=0 go build -ldflags="-w -s" -o convoy-bin ./cmd
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { convoySide } from './convoy-side.ts'
import { openConvoyStore } from './convoy-store.ts'
import { playEngine } from './engine-rounds.ts'
import { peerSource } from './peer-source.ts'
import { ROUND_OPTIONS } from './queue-rounds.ts'

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
const atOnce = Number(options['at-once'])
await playEngine(
  {
    name: 'convoy',
    commit: COMMIT,
    openStore: openConvoyStore,
    sideOf: (ground, settings) => convoySide(ground, { program, atOnce, ...settings }),
  },
  options,
)
