// Reads of our service and of Directus, in turn on the same rows: a patient by id, and 25 appointments with what they name.
//
//   node bench/peers/directus.ts [seconds a run] [rounds] [connections]    needs wrk (Debian package wrk). Makes its clinic once, in
//                                                                          .data/bench, as for reads.ts
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { installedPeer } from './installed-peer.ts'
import { CLINIC, type ReadsGround } from './reads-ground.ts'
import { compareReads } from './same-reads.ts'
import { type Started, startServer } from './server-process.ts'

/** The newest whose packages the registry has. */
const VERSION = '12.4.0'
/** It runs the scripts of flows, which no read here does. The version that Directus names does not run on Node.js 24. */
const SANDBOX = { 'isolated-vm': '6.2.0' }
const PORT = 18_720
const token = randomBytes(24).toString('hex')

/** The clinic's rows in tables as Directus needs them: each with one column as its key, references named as the answer names them. */
const COLUMNS: Readonly<Record<string, string>> = {
  patient_status: 'id, name, color',
  branch: 'id, name',
  provider: 'id, name',
  appointment_type: 'id, name, duration_minutes',
  appointment_status: 'id, name, color',
  patient: 'id, first_name, last_name, phone, email, gender, birth_date, status_id as status, created_at, updated_at',
  appointment: `id, patient_id as patient, branch_id as branch, type_id as type, status_id as status, start, "end", start_sort,
    created_at, updated_at`,
  appointment_provider: `(row_number() over (order by appointment_id, position))::integer as id, appointment_id as appointment,
    provider_id as provider, position`,
}
const tables = Object.entries(COLUMNS).map(
  ([name, columns]) => `
  create table peer.${name} as select ${columns} from public.${name} where clinic_id = '${CLINIC}';
  alter table peer.${name} add primary key (id), owner to peer;`,
)
const ROWS = `create schema peer authorization peer; ${tables.join('')}
  alter table peer.patient add foreign key (status) references peer.patient_status;
  alter table peer.appointment add foreign key (patient) references peer.patient, add foreign key (branch) references peer.branch,
    add foreign key (type) references peer.appointment_type, add foreign key (status) references peer.appointment_status;
  alter table peer.appointment_provider add foreign key (appointment) references peer.appointment,
    add foreign key (provider) references peer.provider;
  create index on peer.appointment (start_sort, id);
  create index on peer.appointment_provider (appointment);
  analyze ${Object.keys(COLUMNS).map((name) => `peer.${name}`)};`

const PATIENT_FIELDS =
  'id,first_name,last_name,phone,email,gender,birth_date,status.id,status.name,status.color,created_at,updated_at'
const APPOINTMENT_FIELDS = [
  'id,patient.id,patient.first_name,patient.last_name,branch.id,branch.name,type.id,type.name,type.duration_minutes',
  'status.id,status.name,status.color,providers.provider.id,providers.provider.name,start,end,created_at,updated_at',
]

const folder = await installedPeer('directus', { directus: VERSION }, SANDBOX)
await compareReads({
  name: `Directus ${VERSION}`,
  goal: 10,
  rounds: 3,
  start: startDirectus,
  prepare: nameProviders,
  patient: (id) => ({
    request: { path: `/items/patient/${id}?fields=${PATIENT_FIELDS}`, key: token },
    asOurs: (answer) => (answer as { data: unknown }).data,
  }),
  appointments: {
    request: { path: `/items/appointment?limit=25&sort=start_sort,id&fields=${APPOINTMENT_FIELDS}`, key: token },
    asOurs: (answer) =>
      (answer as { data: { providers: { provider: unknown }[] }[] }).data.map((one) => ({
        ...one,
        providers: one.providers.map(({ provider }) => provider),
      })),
  },
})

/** One process, without its page, limits, telemetry and log of requests. Its token is an administrator's, whose permissions it need not look up. */
async function startDirectus({ peerUrl }: ReadsGround): Promise<Started> {
  const env = {
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: await peerUrl('', ROWS),
    DB_SEARCH_PATH: 'peer',
    HOST: '127.0.0.1',
    PORT: String(PORT),
    PUBLIC_URL: `http://127.0.0.1:${PORT}`,
    SECRET: randomBytes(24).toString('hex'),
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: randomBytes(12).toString('hex'),
    ADMIN_TOKEN: token,
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
    SERVE_APP: 'false',
    WEBSOCKETS_ENABLED: 'false',
    PRESSURE_LIMITER_ENABLED: 'false',
  }
  const command = join(folder, 'node_modules', 'directus', 'cli.js')
  const bootstrap = { cwd: folder, env: { ...process.env, ...env, NODE_ENV: 'production' }, stdio: 'ignore' } as const
  execFileSync(process.execPath, [command, 'bootstrap'], bootstrap)
  const logFile = join(folder, 'server.log')
  return startServer({ argv: [command, 'start'], port: PORT, readyAt: '/server/ping', env, cwd: folder, logFile })
}

/** References to one row are found by their foreign keys. The list of an appointment's providers has to be named. */
async function nameProviders({ url }: Started): Promise<void> {
  const steps = [
    ['POST', '/fields/appointment', { field: 'providers', type: 'alias', meta: { special: ['o2m'] } }],
    [
      'PATCH',
      '/relations/appointment_provider/appointment',
      { meta: { one_field: 'providers', sort_field: 'position' } },
    ],
  ] as const
  for (const [method, path, body] of steps) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
}
