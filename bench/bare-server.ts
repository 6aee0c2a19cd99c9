// The yardstick of `reads.ts`: a bare Fastify route that looks up the key and then the data through the same driver, with no
// limits, checks, schemas or audit.
import { hashKey } from '@clinic-data/contract/key'
import { openDatabase, sql } from '@clinic-data/database'
import Fastify from 'fastify'

const [url = '', port = ''] = process.argv.slice(2)
const database = await openDatabase({ url })
const app = Fastify({ logger: false })

async function clinicOf(authorization: string | undefined) {
  const hash = hashKey((authorization ?? '').slice('Bearer '.length))
  const [key] = await database.readByKeyHash<{ clinic_id: string }>(
    hash,
    sql`select clinic_id from api_key where key_hash = ${hash}`,
  )
  if (!key) throw new Error('no such key')
  return { clinic_id: key.clinic_id, time_zone: 'UTC' }
}

app.get('/v1/patients/:id', async (request) => {
  const clinic = await clinicOf(request.headers.authorization)
  const { id } = request.params as { id: string }
  const [row] = await database.read(
    clinic,
    sql`select p.id, p.first_name, p.last_name, p.phone, p.email, p.gender, p.birth_date, s.id as status_id, s.name as status_name,
        s.color, p.created_at, p.updated_at
      from patient p left join patient_status s on s.clinic_id = p.clinic_id and s.id = p.status_id
      where p.clinic_id = ${clinic.clinic_id} and p.id = ${id}`,
  )
  return { data: row }
})

app.get('/v1/appointments', async (request) => {
  const clinic = await clinicOf(request.headers.authorization)
  const { from = '', to = '' } = request.query as { from?: string; to?: string }
  const rows = await database.read(
    clinic,
    sql`select a.id, p.id as patient_id, p.first_name, p.last_name, b.id as branch_id, b.name as branch_name, t.id as type_id,
        t.name as type_name, t.duration_minutes, s.id as status_id, s.name as status_name, s.color, a.start, a."end",
        a.created_at, a.updated_at,
        (select json_agg(json_build_object('id', r.id, 'name', r.name) order by ap.position)
          from appointment_provider ap join provider r on r.clinic_id = ap.clinic_id and r.id = ap.provider_id
          where ap.clinic_id = a.clinic_id and ap.appointment_id = a.id) as providers
      from (select * from appointment a where a.clinic_id = ${clinic.clinic_id} and a.start_sort >= ${from}
          and a.start_sort < (${to}::date + 1)::timestamptz order by a.start_sort, a.id limit 26) a
      left join patient p on p.clinic_id = a.clinic_id and p.id = a.patient_id
      left join branch b on b.clinic_id = a.clinic_id and b.id = a.branch_id
      left join appointment_type t on t.clinic_id = a.clinic_id and t.id = a.type_id
      left join appointment_status s on s.clinic_id = a.clinic_id and s.id = a.status_id
      order by a.start_sort, a.id`,
  )
  return { data: rows }
})

await app.listen({ host: '127.0.0.1', port: Number(port) })
process.on('SIGTERM', () => void app.close().then(() => database.close()))
