// Outpost, a whole webhook engine in Go, beside our delivery engine, in turn on the same PostgreSQL.
//
//   PEER_SOURCE=<its source> node bench/peers/outpost.ts [--only singly,burst,backlog,500,worker,hung,failing,database,outage-60] [--rounds 3] [--seconds 6] [--events 4000]
//                                                        [--warm-up 4000] [--beside 500] [--backlog 10000] [--at-once 128] [--sides ours,theirs]
//
// Needs Go, make, and the Debian packages redis-server and rabbitmq-server. Builds it in the folder of its source, by its own Makefile.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { playEngine } from './engine-rounds.ts'
import { outpostSide } from './outpost-side.ts'
import { openOutpostStore } from './outpost-store.ts'
import { peerSource } from './peer-source.ts'
import { ROUND_OPTIONS } from './queue-rounds.ts'

const COMMIT = 'f67ae011b287ff2588cb06699d808a69bba6ab4d'

const { values: options } = parseArgs({
  options: {
    ...ROUND_OPTIONS,
    only: { type: 'string', default: 'singly,burst,backlog,500,worker,hung,failing,database,outage-60' },
    'at-once': { type: 'string', default: '128' },
  },
})
const bin = built()
const atOnce = Number(options['at-once'])
await playEngine(
  {
    name: 'outpost',
    commit: COMMIT,
    openStore: openOutpostStore,
    sideOf: (ground, settings) => outpostSide(ground, { bin, atOnce, ...settings }),
  },
  options,
)

/** @returns the folder of its programs. */
function built(): string {
  const source = peerSource(COMMIT)
  execFileSync('make', ['build/outpost', 'build/server'], { cwd: source, stdio: ['ignore', 'ignore', 'inherit'] })
  return join(source, 'bin')
}
