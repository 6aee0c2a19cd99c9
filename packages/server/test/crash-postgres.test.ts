// The embedded PostgreSQL is killed while its service keeps running: clients get 503, the service restarts the server, and every
// answered write is stored once.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDatabase } from '@clinic-data/database'
import { findEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { sized } from '../../../test/size.ts'
import { startClinicd } from './clinicd-process.ts'
import { assertChainSound, assertWhole, clinicToWriteTo, writeThroughCrashes } from './crash-load.ts'

const DATA_DIR = await mkdtemp(join(tmpdir(), 'crash-postgres-'))
after(() => rm(DATA_DIR, { recursive: true, force: true, maxRetries: 10 }))

const ROUNDS = sized({ everyday: 3, long: 12 })
const SECRET_KEYS = `t:${randomBytes(32).toString('base64')}`

async function killPostgres(): Promise<void> {
  const [pid] = (await readFile(join(DATA_DIR, 'pg', 'postmaster.pid'), 'utf8')).split('\n', 1)
  process.kill(Number(pid), 'SIGKILL')
}

test('answered writes survive SIGKILL of PostgreSQL, and the service recovers without help', async (t) => {
  const service = await startClinicd([], { DATA_DIR, SECRET_KEYS })
  const { ownerUrl } = (await findEmbeddedPostgres(DATA_DIR)) ?? assert.fail('there is no server')
  const owner = await openDatabase({ url: ownerUrl, statementTimeoutMs: 0, writeConnections: 2 })
  try {
    const { clinic_id, key } = await clinicToWriteTo(owner)
    const answers = await writeThroughCrashes({
      address: async () => service.address,
      key,
      rounds: ROUNDS,
      kill: killPostgres,
    })
    t.diagnostic(`longest pause of each round in ms: ${answers.pauses.map((ms) => Math.round(ms)).join(', ')}`)
    assert.equal(answers.pauses.length, ROUNDS)
    await assertWhole(owner, clinic_id, answers)
    await assertChainSound({ owner }, clinic_id, SECRET_KEYS)
  } finally {
    await owner.close()
    await service.end('SIGINT')
  }
})
