// Reads of our service and of PostGraphile, in turn on the same tables: a patient by id, and 25 appointments with what they name.
//
//   node bench/peers/postgraphile.ts [seconds a run] [rounds] [connections]    needs wrk (Debian package wrk). Makes its clinic once,
//                                                                              in .data/bench, as for reads.ts
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installedPeer } from './installed-peer.ts'
import { CLINIC, type ReadsGround } from './reads-ground.ts'
import { compareReads, type PeersRead } from './same-reads.ts'
import { type Started, startServer } from './server-process.ts'

const VERSION = '5.1.5'
/** Its own plugin for queries that the server knows by name, which it recommends in production. */
const PERSISTED = '1.0.0'
const PORT = 18_710

/** Both reads look at these. */
const TABLES =
  'patient, patient_status, appointment, appointment_provider, provider, branch, appointment_type, appointment_status'

/** They use our names, so that the answers have one form. */
const QUERIES = {
  patient: `query Patient($clinic: String!, $id: String!) {
    patient: patientByClinicIdAndRowId(clinicId: $clinic, rowId: $id) {
      id: rowId first_name: firstName last_name: lastName phone email gender birth_date: birthDate
      status: patientStatusByClinicIdAndStatusId { id: rowId name color }
      created_at: createdAt updated_at: updatedAt
    }
  }`,
  appointments: `query Appointments($clinic: String!) {
    appointments: allAppointments(first: 25, condition: { clinicId: $clinic }, orderBy: [START_SORT_ASC, ROW_ID_ASC]) {
      nodes {
        id: rowId
        patient: patientByClinicIdAndPatientId { id: rowId first_name: firstName last_name: lastName }
        branch: branchByClinicIdAndBranchId { id: rowId name }
        type: appointmentTypeByClinicIdAndTypeId { id: rowId name duration_minutes: durationMinutes }
        status: appointmentStatusByClinicIdAndStatusId { id: rowId name color }
        providers: appointmentProvidersByClinicIdAndAppointmentId(orderBy: [POSITION_ASC]) {
          nodes { provider: providerByClinicIdAndProviderId { id: rowId name } }
        }
        start end created_at: createdAt updated_at: updatedAt
      }
    }
  }`,
}

/**
 * Its recommended preset, without what only development needs. It offers the order by `start_sort` though that is the second column
 * of its index. `subscription` is a word of GraphQL.
 */
const CONFIGURATION = `
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'
import { makePgService } from 'postgraphile/adaptors/pg'
import { PersistedPlugin } from '@grafserv/persisted'
import { jsonPgSmartTags } from 'postgraphile/utils'

export default {
  extends: [PostGraphileAmberPreset],
  plugins: [
    PersistedPlugin,
    jsonPgSmartTags({ version: 1, config: { class: { subscription: { tags: { name: 'event_subscription' } } } } }),
  ],
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  pgServices: [makePgService({ connectionString: process.env.PEER_DATABASE_URL, schemas: ['public'], pubsub: false })],
  grafserv: {
    host: '127.0.0.1',
    port: ${PORT},
    watch: false,
    graphiql: false,
    websockets: false,
    persistedOperations: ${JSON.stringify(QUERIES)},
  },
  grafast: { explain: false },
}
`

const folder = await installedPeer('postgraphile', { postgraphile: VERSION, '@grafserv/persisted': PERSISTED })
await compareReads({
  name: `PostGraphile ${VERSION}`,
  goal: 2,
  rounds: 5,
  start: startPostGraphile,
  patient: (id) => ({
    request: requestFor('patient', { clinic: CLINIC, id }),
    asOurs: (answer) => (answer as { data: { patient: unknown } }).data.patient,
  }),
  appointments: {
    request: requestFor('appointments', { clinic: CLINIC }),
    asOurs: (answer) =>
      (answer as Answered).data.appointments.nodes.map((one) => ({
        ...one,
        providers: one.providers.nodes.map(({ provider }) => provider),
      })),
  },
})

interface Answered {
  data: { appointments: { nodes: { providers: { nodes: { provider: unknown }[] } }[] } }
}

/** One process, as its command starts it, with a login that may read the tables and that row level security does not bind. */
async function startPostGraphile({ peerUrl }: ReadsGround): Promise<Started> {
  await writeFile(join(folder, 'graphile.config.mjs'), CONFIGURATION)
  return startServer({
    argv: [join(folder, 'node_modules', 'postgraphile', 'dist', 'cli-run.js')],
    port: PORT,
    readyAt: '/graphql',
    env: {
      PEER_DATABASE_URL: await peerUrl('bypassrls', `grant select on ${TABLES} to peer`),
      GRAPHILE_ENV: 'production',
    },
    cwd: folder,
    logFile: join(folder, 'server.log'),
  })
}

function requestFor(
  documentId: keyof typeof QUERIES,
  variables: Readonly<Record<string, string>>,
): PeersRead['request'] {
  const body = JSON.stringify({ documentId, variables })
  const script = { file: join(import.meta.dirname, 'post-body.lua'), env: { BODY: body } }
  return { path: '/graphql', key: 'none', body, script }
}
