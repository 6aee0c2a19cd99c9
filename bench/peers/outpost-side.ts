// Outpost as one side of a comparison: one process, a tenant for each clinic and a destination for each subscription; events come in by
// its API, one a request.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { type Bad, CLINICS, HEALTHY_PER_CLINIC } from '../webhook-ground.ts'
import type { OutpostStore } from './outpost-store.ts'
import type { QueueGround } from './queue-ground.ts'
import { BAD, bodiesOf, type Side } from './queue-side.ts'
import { until } from './queue-store.ts'

const API_PORT = 18_710
const API = `http://127.0.0.1:${API_PORT}/api/v1`
const TOPIC = 'appointment.created'
const BAD_DESTINATION = 'bad'

export interface OutpostOptions {
  /** Where its programs are. */
  readonly bin: string
  readonly store: OutpostStore
  /** Attempts at once. */
  readonly atOnce: number
  /** Keeps what it says. */
  readonly logFile: string
}

export function outpostSide({ clinics, origins }: QueueGround, { bin, store, atOnce, logFile }: OutpostOptions): Side {
  const key = randomBytes(16).toString('hex')
  const agent = new Agent({ connections: 64, pipelining: 1 })
  const env = { ...process.env, ...store.settings, ...settingsOf(key, atOnce) }
  const output = openSync(logFile, 'w')
  /** Of the next start. Undefined: it has been filled. */
  let beside: Bad | null | undefined
  const call = async (method: 'PUT' | 'POST', path: string, body: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await request(API + path, { dispatcher: agent, method, headers, body })
    const text = await answer.body.text()
    if (answer.statusCode > 299) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`)
  }
  const publish = async (clinic: number, numbers: readonly number[], at: Date, destination?: string) => {
    const only = destination === undefined ? '' : `"destination_id":"${destination}",`
    const bodies = bodiesOf(clinics[clinic] as (typeof clinics)[number], numbers, at)
    await Promise.all(
      bodies.map(({ id, body }) =>
        call('POST', '/publish', `{"id":"${id}","tenant_id":"t${clinic}","topic":"${TOPIC}",${only}"data":${body}}`),
      ),
    )
  }
  const destine = (clinic: number, id: string, url: string) =>
    call(
      'POST',
      `/tenants/t${clinic}/destinations`,
      JSON.stringify({ id, type: 'webhook', topics: ['*'], config: { url } }),
    )
  const fill = async (bad: Bad | null) => {
    for (let clinic = 0; clinic < CLINICS; clinic++) {
      await call('PUT', `/tenants/t${clinic}`, '{}')
      for (let subscription = 0; subscription < HEALTHY_PER_CLINIC; subscription++) {
        const origin = origins[clinic * HEALTHY_PER_CLINIC + subscription]
        await destine(clinic, `well-${clinic}-${subscription}`, `${origin}/healthy/${clinic}-${subscription}`)
      }
    }
    if (bad === null) return
    await destine(BAD.clinic, BAD_DESTINATION, `${origins.at(-1)}/${bad.behaviour}/0`)
    const numbers = Array.from({ length: bad.backlog }, (_, i) => i)
    await publish(BAD.clinic, numbers, new Date(0), BAD_DESTINATION)
  }
  const start = async (parts: 'all' | 'api') => {
    const own = parts === 'all' ? env : { ...env, SERVICE: parts }
    const child = spawn(join(bin, 'outpost'), ['serve'], { env: own, stdio: ['ignore', output, output] })
    await once(child, 'spawn')
    await until(() => isHealthy(child))
    return child
  }
  return {
    store,
    async begin(bad) {
      await store.empty()
      execFileSync(join(bin, 'outpost'), ['migrate', 'apply', '--yes'], { env, stdio: ['ignore', output, output] })
      beside = bad
    },
    async startSender() {
      const child = await start('all')
      // What it was told is kept in Redis, so a second start tells nothing.
      if (beside !== undefined) await fill(beside)
      beside = undefined
      return child
    },
    startIntake: () => start('api'),
    add: publish,
    unfinished: async () => store.waiting(),
    end: () => agent.close(),
  }
}

async function isHealthy({ exitCode }: ChildProcess): Promise<boolean> {
  if (exitCode !== null) throw new Error('outpost has ended')
  const answer = await fetch(`http://127.0.0.1:${API_PORT}/healthz`).catch(() => null)
  return answer?.ok === true
}

/** The signature and the limit of an attempt are those of ours. */
function settingsOf(key: string, atOnce: number): Record<string, string> {
  return {
    API_PORT: String(API_PORT),
    API_KEY: key,
    API_JWT_SECRET: randomBytes(16).toString('hex'),
    AES_ENCRYPTION_SECRET: randomBytes(16).toString('hex'),
    TOPICS: TOPIC,
    DESTINATIONS_WEBHOOK_MODE: 'standard',
    DELIVERY_TIMEOUT_SECONDS: '15',
    DELIVERY_MAX_CONCURRENCY: String(atOnce),
    LOG_MAX_CONCURRENCY: String(atOnce),
    RETRY_SCHEDULE: '5,10,20,40,80,160,320,640',
    LOG_LEVEL: 'warn',
    DISABLE_TELEMETRY: 'true',
  }
}
