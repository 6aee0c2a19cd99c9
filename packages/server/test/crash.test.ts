// Processes are killed in the middle of their work. Answered writes are stored, unanswered ones are stored once the client has
// repeated them with the same key, and nothing is stored twice.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import { sized } from '../../../test/size.ts'
import { ownGround } from '../../webhooks/test/own-ground.ts'
import { type ClinicdProcess, startClinicd } from './clinicd-process.ts'
import { type Answers, assertChainSound, assertWhole, clinicToWriteTo, writeThroughCrashes } from './crash-load.ts'

// A database of its own: a service looks after every clinic of its database by its own clock, and other test files use other times.
const base = await ownGround(schema)
const folder = await mkdtemp(join(tmpdir(), 'crash-'))
after(() => rm(folder, { recursive: true, force: true }))

const ROUNDS = sized({ everyday: 3, long: 12 })
const SECRET_KEYS = `t:${randomBytes(32).toString('base64')}`
const BACKEND_TOKEN = randomBytes(24).toString('hex')
const data = { DATABASE_URL: base.url, DATA_DIR: folder, SECRET_KEYS }

/** A process that is started again whenever it is killed. */
class Restarted {
  readonly #start: () => Promise<ClinicdProcess>
  #running: Promise<ClinicdProcess>

  constructor(start: (adminPort: string) => Promise<ClinicdProcess>) {
    const first = start('0')
    // Keeps the port, so that other processes find it again.
    this.#start = async () => start(new URL((await first).adminAddress).port)
    this.#running = first
  }

  get running(): Promise<ClinicdProcess> {
    return this.#running
  }

  async kill(): Promise<void> {
    const { end } = await this.#running
    await end('SIGKILL')
    this.#running = this.#start()
    await this.#running
  }
}

function told(answers: Answers): string {
  const pauses = answers.pauses.map((ms) => `${Math.round(ms)}`).join(', ')
  return `${answers.written.length} answers, longest pause of each round in ms: ${pauses}`
}

test('answered writes survive SIGKILL, repeated requests complete the others, and nothing is written twice', async (t) => {
  const { clinic_id, key } = await clinicToWriteTo(base.owner)
  const service = new Restarted((ADMIN_PORT) => startClinicd([], { ...data, ADMIN_PORT }))
  const address = async () => (await service.running).address
  const answers = await writeThroughCrashes({ address, key, rounds: ROUNDS, kill: () => service.kill() })
  await (await service.running).end('SIGKILL')
  t.diagnostic(told(answers))
  await assertWhole(base.owner, clinic_id, answers)
  await assertChainSound(base, clinic_id, SECRET_KEYS)
})

test('when gateway, backend and dispatcher are killed in turn, nothing is lost or written twice', async (t) => {
  const { clinic_id, key } = await clinicToWriteTo(base.owner)
  const backend = new Restarted((ADMIN_PORT) =>
    startClinicd(['--role', 'backend'], { ...data, BACKEND_TOKEN, ADMIN_PORT }),
  )
  const BACKEND_URL = (await backend.running).adminAddress
  const gateway = new Restarted((ADMIN_PORT) =>
    startClinicd(['--role', 'gateway'], { SECRET_KEYS, BACKEND_URL, BACKEND_TOKEN, ADMIN_PORT }),
  )
  const dispatcher = new Restarted((ADMIN_PORT) => startClinicd(['--role', 'dispatcher'], { ...data, ADMIN_PORT }))
  await dispatcher.running
  const parts = [gateway, backend, dispatcher]
  const answers = await writeThroughCrashes({
    address: async () => (await gateway.running).address,
    key,
    rounds: ROUNDS,
    kill: async (round) => parts[round % parts.length]?.kill(),
  })
  for (const part of parts) await (await part.running).end('SIGKILL')
  t.diagnostic(told(answers))
  assert.equal(answers.pauses.length, ROUNDS)
  await assertWhole(base.owner, clinic_id, answers)
  await assertChainSound(base, clinic_id, SECRET_KEYS)
})
