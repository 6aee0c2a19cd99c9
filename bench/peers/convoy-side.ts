// Convoy as one side of a comparison: its agent, which takes events in and sends them, with an owner for each clinic and an endpoint with a
// subscription for each of ours; events come in by its API, one a request. Its server is there only while these are made.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import type { Clinic } from '@clinic-data/contract'
import { type Bad, CLINICS, HEALTHY_PER_CLINIC } from '../webhook-ground.ts'
import { ConvoyApi, NO_LIMIT, type Project } from './convoy-api.ts'
import type { ConvoyStore } from './convoy-store.ts'
import type { QueueGround } from './queue-ground.ts'
import { kill } from './queue-scenarios.ts'
import { BAD, bodiesOf, type Side } from './queue-side.ts'
import { until } from './queue-store.ts'

const PORTS = { server: 18_722, agent: 18_723 }

export interface ConvoyOptions {
  /** Its program. */
  readonly program: string
  readonly store: ConvoyStore
  /** Jobs at once. */
  readonly atOnce: number
  /** Keeps what it says. */
  readonly logFile: string
}

export function convoySide(ground: QueueGround, { program, store, atOnce, logFile }: ConvoyOptions): Side {
  const { clinics } = ground
  const env = { ...process.env, ...store.settings, ...settingsOf(atOnce) }
  const output = openSync(logFile, 'w')
  const run = (...args: string[]) =>
    execFileSync(program, args, { env, stdio: ['ignore', 'pipe', output], encoding: 'utf8' })
  const start = async (role: keyof typeof PORTS) => {
    const child = spawn(program, [role], { env, stdio: ['ignore', output, output] })
    await once(child, 'spawn')
    await until(() => isHealthy(child, PORTS[role]))
    return child
  }
  const api = new ConvoyApi(PORTS.agent)
  let project: Project | undefined
  return {
    store,
    async begin(bad) {
      await store.empty()
      run('migrate', 'up')
      const made = run('bootstrap', '--email', 'bench@clinic.example', '--with-api-key', '--format', 'json')
      const { api_key, organisation_id } = JSON.parse(made)
      const server = await start('server')
      const setup = new ConvoyApi(PORTS.server)
      try {
        project = await setup.makeProject(api_key, organisation_id)
        await fill(setup, project, ground, bad)
      } finally {
        await setup.close()
        await kill(server)
      }
    },
    startSender: () => start('agent'),
    startIntake: () => Promise.reject(new Error('the agent of Convoy takes events in and sends them')),
    async add(clinic, numbers, at) {
      const bodies = bodiesOf(clinics[clinic] as Clinic, numbers, at)
      await api.send(project as Project, { owner_id: ownerOf(clinic) }, bodies)
    },
    unfinished: () => store.unfinished(),
    end: () => api.close(),
  }
}

const ownerOf = (clinic: number) => `c${clinic}`

/** Makes the endpoints, and what waits for the bad one. */
async function fill(
  api: ConvoyApi,
  project: Project,
  { clinics, origins }: QueueGround,
  bad: Bad | null,
): Promise<void> {
  for (let clinic = 0; clinic < CLINICS; clinic++) {
    for (let subscription = 0; subscription < HEALTHY_PER_CLINIC; subscription++) {
      const name = `${clinic}-${subscription}`
      const origin = origins[clinic * HEALTHY_PER_CLINIC + subscription]
      await api.subscribe(project, ownerOf(clinic), name, `${origin}/healthy/${name}`)
    }
  }
  if (bad === null) return
  const endpoint_id = await api.subscribe(project, ownerOf(BAD.clinic), 'bad', `${origins.at(-1)}/${bad.behaviour}/0`)
  const numbers = Array.from({ length: bad.backlog }, (_, i) => i)
  await api.send(project, { endpoint_id }, bodiesOf(clinics[BAD.clinic] as Clinic, numbers, new Date(0)))
}

async function isHealthy({ exitCode }: ChildProcess, port: number): Promise<boolean> {
  if (exitCode !== null) throw new Error('convoy has ended')
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null)
  return answer?.ok === true
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
