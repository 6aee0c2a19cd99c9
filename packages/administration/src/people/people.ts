// The people of a clinic as its owners see them.
import { PEOPLE, type Person } from '@clinic-data/console-contract/people-operations'
import { type ClinicDatabase, type ClinicSession, type Statement, sql, withInstants } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import { lasts } from '../sessions/sessions.ts'

type PersonRow = Omit<Person, 'ways_in'> & {
  has_password: boolean
  passkeys: number
  paired_at: string[]
  is_bound: boolean
}

export interface Looking {
  now: Date
  /** Whether there is an identity provider. */
  hasProvider: boolean
}

/** By name, disabled ones last. */
export async function listPeople(
  consoleDatabase: ClinicDatabase,
  clinic: ClinicSession,
  looking: Looking,
): Promise<Person[]> {
  const rows = await consoleDatabase.read<PersonRow>(clinic, peopleWhere(clinic.clinic_id, sql`true`, looking.now))
  return rows.map((row) => shown(row, looking))
}

/** @throws Problem 404 */
export async function findPerson(
  consoleDatabase: ClinicDatabase,
  clinic: ClinicSession,
  id: string,
  looking: Looking,
): Promise<Person> {
  const statement = peopleWhere(clinic.clinic_id, sql`a.id = ${id}`, looking.now)
  const [row] = await consoleDatabase.read<PersonRow>(clinic, statement)
  if (row === undefined) throw notFound('person', id)
  return shown(row, looking)
}

/** @throws Problem 404 */
export async function requirePerson(consoleDatabase: ClinicDatabase, clinic: ClinicSession, id: string): Promise<void> {
  const found = await consoleDatabase.read(
    clinic,
    sql`select id from administrator where clinic_id = ${clinic.clinic_id} and id = ${id} and removed_at is null`,
  )
  if (found.length === 0) throw notFound('person', id)
}

function peopleWhere(clinic_id: string, condition: Statement, now: Date): Statement {
  const sessions = sql`administrator_session s where s.clinic_id = ${clinic_id} and s.administrator_id = a.id`
  return sql`select a.id, a.name, a.email, a.role, a.role_group, a.group_ended_at, a.created_at, a.disabled_at,
      greatest(a.last_seen_at, (select max(s.seen_at) from ${sessions})) as last_seen_at,
      a.password is not null as has_password, a.openid_subject is not null as is_bound,
      (select count(*)::integer from passkey p where p.clinic_id = ${clinic_id} and p.administrator_id = a.id) as passkeys,
      array(select p.created_at::text from pairing p where p.clinic_id = ${clinic_id} and p.administrator_id = a.id
        order by p.created_at desc) as paired_at,
      (select count(*)::integer from ${sessions} and ${lasts(now)}) as sessions,
      (select count(*)::integer from connection c join api_key k on k.clinic_id = ${clinic_id} and k.id = c.id
        where c.clinic_id = ${clinic_id} and c.administrator_id = a.id and c.connected_at is not null
          and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})) as connections
    from administrator a where a.clinic_id = ${clinic_id} and a.removed_at is null and ${condition}
    order by a.disabled_at is not null, a.name, a.id limit ${PEOPLE.most}`
}

function shown({ has_password, passkeys, paired_at, is_bound, ...row }: PersonRow, { hasProvider }: Looking): Person {
  const pairings = paired_at.map((created_at) => withInstants({ created_at }, 'created_at'))
  return {
    ...withInstants(row, 'created_at', 'last_seen_at', 'disabled_at', 'group_ended_at'),
    ways_in: { password: has_password, passkeys, provider: is_bound && hasProvider, pairings },
  }
}
