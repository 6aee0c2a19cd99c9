// Convoy as one side of a comparison: its agent, which takes events in and sends them, with an owner for each clinic and an endpoint with a
// subscription for each of ours; events come in by its API, one a request. Its server is there only while these are made.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { Agent, request } from 'undici'
import { type Bad, CLINICS, HEALTHY_PER_CLINIC } from '../webhook-ground.ts'
import type { ConvoyStore } from './convoy-store.ts'
import type { QueueGround } from './queue-ground.ts'
import { kill } from './queue-scenarios.ts'
import { BAD, bodiesOf, type Side } from './queue-side.ts'
import { until } from './queue-store.ts'

const PORTS = { server: 18_722, agent: 18_723 }
const EVENT_TYPE = 'appointment.created'
/** Of its API, of the instance's intake and of an endpoint: nothing here is to be slowed down. */
const NO_LIMIT = 1_000_000

export interface ConvoyOptions {
  /** Its program. */
  readonly program: string
  readonly store: ConvoyStore
  /** Jobs at once. */
  readonly atOnce: number
  /** Keeps what it says. */
  readonly logFile: string
}

/** A project with the key that may send to it. */
interface Project {
  readonly id: string
  readonly key: string
}

export function convoySide(
  { clinics, origins }: QueueGround,
  { program, store, atOnce, logFile }: ConvoyOptions,
): Side {
  const agent = new Agent({ connections: 64, pipelining: 1 })
  const env = { ...process.env, ...store.settings, ...settingsOf(atOnce) }
  const output = openSync(logFile, 'w')
  let project: Project | undefined
  const run = (...args: string[]) =>
    execFileSync(program, args, { env, stdio: ['ignore', 'pipe', output], encoding: 'utf8' })
  const start = async (args: readonly string[], port: number) => {
    const child = spawn(program, args, { env, stdio: ['ignore', output, output] })
    await once(child, 'spawn')
    await until(() => isHealthy(child, port))
    return child
  }
  const post = async (port: number, path: string, key: string, body: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const url = `http://127.0.0.1:${port}/api/v1/projects${path}`
    const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body })
    const text = await answer.body.text()
    if (answer.statusCode > 299) throw new Error(`${path}: ${answer.statusCode} ${text}`)
    return text
  }
  const send = async (port: number, path: string, to: string, bodies: readonly { body: string }[]) => {
    const { id, key } = project as Project
    await Promise.all(
      bodies.map(({ body }) =>
        post(port, `/${id}/events${path}`, key, `{${to},"event_type":"${EVENT_TYPE}","data":${body}}`),
      ),
    )
  }
  const subscribe = async (clinic: number, name: string, url: string) => {
    const { id, key } = project as Project
    const endpoint = {
      name,
      url,
      owner_id: `c${clinic}`,
      rate_limit: NO_LIMIT,
      rate_limit_duration: 1,
      http_timeout: 15,
    }
    const made = JSON.parse(await post(PORTS.server, `/${id}/endpoints`, key, JSON.stringify(endpoint)))
    const filter_config = { event_types: ['*'] }
    const subscription = { name, endpoint_id: made.data.uid, filter_config }
    await post(PORTS.server, `/${id}/subscriptions`, key, JSON.stringify(subscription))
    return made.data.uid as string
  }
  const fill = async (bad: Bad | null) => {
    for (let clinic = 0; clinic < CLINICS; clinic++) {
      for (let subscription = 0; subscription < HEALTHY_PER_CLINIC; subscription++) {
        const origin = origins[clinic * HEALTHY_PER_CLINIC + subscription]
        await subscribe(clinic, `well-${clinic}-${subscription}`, `${origin}/healthy/${clinic}-${subscription}`)
      }
    }
    if (bad === null) return
    const endpoint = await subscribe(BAD.clinic, 'bad', `${origins.at(-1)}/${bad.behaviour}/0`)
    const numbers = Array.from({ length: bad.backlog }, (_, i) => i)
    const bodies = bodiesOf(clinics[BAD.clinic] as (typeof clinics)[number], numbers, new Date(0))
    await send(PORTS.server, '', `"endpoint_id":"${endpoint}"`, bodies)
  }
  return {
    store,
    async begin(bad) {
      await store.empty()
      run('migrate', 'up')
      const { api_key, organisation_id } = JSON.parse(
        run('bootstrap', '--email', 'bench@clinic.example', '--with-api-key', '--format', 'json'),
      )
      const server = await start(['server'], PORTS.server)
      try {
        const { data } = JSON.parse(
          await post(PORTS.server, `?orgID=${organisation_id}`, api_key, JSON.stringify(PROJECT)),
        )
        project = { id: data.project.uid, key: data.api_key.key }
        await fill(bad)
      } finally {
        await kill(server)
      }
    },
    startSender: () => start(['agent'], PORTS.agent),
    async add(clinic, numbers, at) {
      const bodies = bodiesOf(clinics[clinic] as (typeof clinics)[number], numbers, at)
      await send(PORTS.agent, '/fanout', `"owner_id":"c${clinic}"`, bodies)
    },
    unfinished: () => store.unfinished(),
    end: () => agent.close(),
  }
}

async function isHealthy({ exitCode }: ChildProcess, port: number): Promise<boolean> {
  if (exitCode !== null) throw new Error('convoy has ended')
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null)
  return answer?.ok === true
}

/** Eight retries whose pauses double, as with Outpost. */
const PROJECT = {
  name: 'bench',
  type: 'outgoing',
  config: { strategy: { type: 'exponential', duration: 5, retry_count: 8 } },
}

function settingsOf(atOnce: number): Record<string, string> {
  return {
    PORT: String(PORTS.server),
    AGENT_PORT: String(PORTS.agent),
    CONVOY_JWT_SECRET: randomBytes(16).toString('hex'),
    CONVOY_JWT_REFRESH_SECRET: randomBytes(16).toString('hex'),
    CONVOY_CONSUMER_POOL_SIZE: String(atOnce),
    CONVOY_INSTANCE_INGEST_RATE: String(NO_LIMIT),
    CONVOY_API_RATE_LIMIT: String(NO_LIMIT),
    CONVOY_ANALYTICS_ENABLED: 'false',
    CONVOY_LOGGER_LEVEL: 'error',
  }
}
