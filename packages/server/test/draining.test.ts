// When backends shut down gracefully one at a time, the clients of a gateway notice nothing.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createClinic } from '@clinic-data/administration/clinics'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import * as schema from '@clinic-data/backend/migrations'
import { allScopes } from '@clinic-data/contract'
import { portPaths } from '@clinic-data/contract/port'
import { freePort } from '@clinic-data/testing/free-port'
import { newSecretKeys, serveHere } from '@clinic-data/testing/grounds/in-this-process'
import { insertPatient } from '@clinic-data/testing/grounds/rows'
import { startClinicd } from '@clinic-data/testing/programs/clinicd-process'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { sized } from '@clinic-data/testing/run/size'
import { newClinicId } from '@clinic-data/testing/run/test-service'

const CLIENTS = 8
/** A client's, between two requests: the gateway looks once a second whether a backend is back, and they wait for that. */
const REST_MS = 10
/** Between two steps. */
const ANSWERS = sized({ everyday: 50, long: 500 })
const { url, owner } = await ownGround(schema)
const shared = { SECRET_KEYS: newSecretKeys(), BACKEND_TOKEN: randomBytes(24).toString('hex') }
const startBackend = (ADMIN_PORT = '0') => serveHere({ ...shared, DATABASE_URL: url, ADMIN_PORT }, 'backend')

/** The ports of this process's backends to which the gateway has sent calls. Its look at a backend's health is none. */
const called = new Set<string>()
const onRequest = (message: unknown) => {
  const { url, socket } = (message as { request: IncomingMessage }).request
  if (url !== portPaths.ready) called.add(String(socket.localPort))
}
subscribe('http.server.request.start', onRequest)
after(() => unsubscribe('http.server.request.start', onRequest))

async function keyOfClinic(): Promise<string> {
  const now = new Date()
  const clinic = await createClinic(owner, {
    clinic_id: newClinicId(),
    name: 'Draining',
    time_zone: 'Asia/Jerusalem',
    currency: 'ILS',
    country: 'IL',
    week_start: 0,
    min_visit_minutes: 15,
    now,
  })
  await insertPatient(owner, clinic, { id: 'p', first_name: 'Noa' })
  const { clinic_id } = clinic
  const minted = { clinic_id, scopes: allScopes, name: 'load', expires_at: null, rate_limit: 1_000_000, now }
  return (await mintKey(owner, minted)).key
}

/** Clients that read and write, and count the answers by status. */
class Load {
  readonly statuses = new Map<number, number>()
  #isOn = true
  readonly #clients: Promise<void>[]

  constructor(address: string, key: string) {
    this.#clients = Array.from({ length: CLIENTS }, (_, client) => this.#client(address, key, client))
  }

  get count(): number {
    return [...this.statuses.values()].reduce((sum, count) => sum + count, 0)
  }

  async #client(address: string, key: string, client: number): Promise<void> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    for (let n = 0; this.#isOn; n++) {
      const write = { first_name: 'Dana', email: `c${client}n${n}@example.com`, source: 'website' }
      const { status, body } =
        n % 4 === 0
          ? await fetch(`${address}/v1/leads`, { method: 'POST', headers, body: JSON.stringify(write) })
          : await fetch(`${address}/v1/patients/p`, { headers })
      await body?.pipeTo(new WritableStream())
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
      await delay(REST_MS)
    }
  }

  async stop(): Promise<void> {
    this.#isOn = false
    await Promise.all(this.#clients)
  }

  /** Waits for this many further answers. @throws the error of a client that failed. */
  async further(answers: number): Promise<void> {
    const enough = this.count + answers
    await this.until(() => this.count >= enough)
  }

  /** Goes on until this is so. @throws the error of a client that failed. */
  async until(isSo: () => boolean): Promise<void> {
    const reached = async () => {
      while (!isSo()) await delay(20)
    }
    await Promise.race([reached(), ...this.#clients])
  }
}

test('no client is refused when two backends restart one after the other under load', async (t) => {
  // The one that comes back has the same port, which nobody takes meanwhile.
  const port = String(await freePort())
  const [one, other] = [await startBackend(port), await startBackend()]
  const BACKEND_URL = `${one.adminAddress},${other.adminAddress}`
  // A process of its own: a backend that starts in this one keeps the loop for so long that a gateway here would shed requests.
  const gateway = await startClinicd(['--role', 'gateway'], { ...shared, BACKEND_URL })
  const reports = () => gateway.lines.filter((line) => line === 'the backend is about to stop').length
  const load = new Load(gateway.address, await keyOfClinic())
  await load.further(ANSWERS)
  one.drain()
  await load.until(() => reports() === 1)
  await one.stop()
  await load.further(ANSWERS)
  called.delete(port)
  await startBackend(port)
  // The gateway looks once a second whether it is back.
  await load.until(() => called.has(port))
  await load.further(ANSWERS)
  other.drain()
  await load.until(() => reports() === 2)
  await other.stop()
  await load.further(ANSWERS)
  await load.stop()
  await gateway.end('SIGINT')
  t.diagnostic(`answers by status: ${JSON.stringify([...load.statuses])}`)
  assert.deepEqual([...load.statuses.keys()].sort(), [200, 201])
})
