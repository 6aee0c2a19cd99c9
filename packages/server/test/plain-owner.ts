// Tests on a database whose owner may only create roles, as on every managed PostgreSQL: the service starts, serves requests
// with a separate login, and looks after its audit log and its partitions of days, with one url or two.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createClinic } from '@clinic-data/administration/clinics'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import { clinicsUnheard } from '@clinic-data/backend/name-sounds'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { DatabaseUnavailable, openDatabase, sql, utcSession } from '@clinic-data/database'
import { asLogin, derivedLogins } from '@clinic-data/installation/database/derived-logins'
import { serveHere } from '@clinic-data/testing/grounds/in-this-process'
import {
  as,
  asking,
  newPassword,
  newSecretKey,
  type PlainOwner,
  plainOwner,
  servers,
  type Version,
} from '@clinic-data/testing/programs/plain-server'
import { operator } from '@clinic-data/testing/shared/operator'
import { until } from '@clinic-data/testing/until'
import { maintainEvents } from '@clinic-data/webhooks/events/maintain-events'

/** Makes a login for requests, as an operator does. @returns the settings that name it beside the owner. */
async function withLogin(url: string, name: string): Promise<Record<string, string>> {
  const password = newPassword()
  await asking(url, async (owner) => {
    await owner.maintain((tx) => tx.script(`create role ${name} login password '${password}'`))
  })
  return { DATABASE_URL: as(url, name, password), DATABASE_OWNER_URL: url, SECRET_KEYS: newSecretKey('a') }
}

const programEnvironment = (environment: Record<string, string>) => ({
  PATH: process.env.PATH,
  PORT: '0',
  ADMIN_PORT: '0',
  ...environment,
})

const clinicd = (argv: readonly string[], environment: Record<string, string>) =>
  operator.run(argv, programEnvironment(environment))

/** Runs a service while `work` uses it. */
export async function serving<T>(
  environment: Record<string, string>,
  work: (address: string, adminAddress: string) => Promise<T>,
): Promise<T> {
  const service = await serveHere(environment)
  try {
    return await work(service.address, service.adminAddress)
  } finally {
    await service.stop()
  }
}

/** @returns its key. */
async function clinicWithKey(ownerUrl: string, clinic_id = `c${randomBytes(4).toString('hex')}`): Promise<string> {
  const at = { now: new Date(), expires_at: null, rate_limit: null }
  const place = {
    time_zone: 'Asia/Jerusalem',
    currency: 'ILS',
    country: 'IL',
    week_start: 0,
    min_visit_minutes: 15,
  } as const
  return asking(ownerUrl, async (owner) => {
    await createClinic(owner, { clinic_id, name: 'Plain', ...place, slot_step_minutes: 5 })
    return (await mintKey(owner, { ...at, clinic_id, name: 'test', scopes: ['patients:read'] })).key
  })
}

/** Checks that a request is answered and audited with a login that is not the owner's. @returns the login. */
export async function answersAs(superUrl: string, ownerUrl: string, address: string): Promise<string> {
  const clinic_id = `c${randomBytes(4).toString('hex')}`
  const key = await clinicWithKey(ownerUrl, clinic_id)
  const answer = await fetch(`${address}/v1/patients`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(answer.status, 200, await answer.text())
  await asking(ownerUrl, async (owner) => {
    await maintainEvents(owner, 30)
    const unsealed = await owner.readAsDispatcher(sql`select from audit where clinic_id = ${clinic_id}`)
    assert.equal(unsealed.length, 1, 'sealing finds the rows of all clinics')
    await owner.write(utcSession(clinic_id), async (tx) => {
      await tx.query(sql`insert into patient (clinic_id, id, name_folded, created_at, updated_at, created_date)
        values (${clinic_id}, 'p1', 'noa levi', now(), now(), '2026-01-01')`)
      await tx.query(sql`insert into patient_name (clinic_id, patient_id, key, sound)
        values (${clinic_id}, 'p1', 'noa levi', null), (${clinic_id}, 'p1', 'levi noa', 'llv n ')`)
    })
    assert.ok((await clinicsUnheard(owner)).some((unheard) => unheard.clinic_id === clinic_id))
    const [seen] = await owner.readAsDispatcher(sql`select row_security_active('patient_name') as is_bound,
      array_agg(key) as keys from patient_name where clinic_id = ${clinic_id}`)
    if (seen?.is_bound) assert.deepEqual(seen.keys, ['noa levi'], 'no name is seen that has its sound')
  })
  return asking(superUrl, async (admin) => {
    const { rows: audited } = await admin.query(sql`select from audit where clinic_id = ${clinic_id}`)
    assert.equal(audited.length, 1)
    const logins = sql`select distinct usename::text as name from pg_stat_activity
      where datname = 'clinic' and application_name = 'clinicd' and usename not in ('plain', session_user)
        and not starts_with(usename, 'clinic_data_console_')`
    // Connections of a service that has stopped are there a moment longer.
    const [one, other] = await until(
      async () => {
        const { rows } = await admin.query<{ name: string }>(logins)
        return rows.length === 1 && rows
      },
      () => 'several logins serve requests',
    )
    return other === undefined && one !== undefined ? one.name : assert.fail()
  })
}

export function describePlainOwner(version: Version): void {
  const { skip, start } = servers[version]
  describe(version, { skip }, () => {
    let shared: PlainOwner
    before(async () => {
      shared = await plainOwner(start)
    })
    after(() => shared.stop())

    test('with the owner alone, a login is derived from the secret keys, and the login of a removed key is dropped', async () => {
      const { superUrl, url } = shared
      const [old, young] = [newSecretKey('old'), newSecretKey('young')]
      const environment = (SECRET_KEYS: string) => ({ DATABASE_URL: url, SECRET_KEYS })
      const first = await serving(environment(old), (address) => answersAs(superUrl, url, address))
      assert.match(first, /^clinic_data_app_/)
      const second = await serving(environment(`${young},${old}`), (address) => answersAs(superUrl, url, address))
      assert.notEqual(second, first)
      const logins = async () => {
        const names = sql`select rolname::text as name from pg_roles where rolname ~ '^clinic_data_(app|console)_' order by 1`
        return (await asking(superUrl, (admin) => admin.query<{ name: string }>(names))).rows.map(({ name }) => name)
      }
      const requests = (names: readonly string[]) => names.filter((name) => name.startsWith('clinic_data_app_'))
      const all = await logins()
      assert.deepEqual([requests(all), all.length], [[first, second].sort(), 4])
      const { current } = derivedLogins('clinic_data_app', parseSecretKeys(old), 'clinic')
      const thief = await openDatabase({ url: asLogin(url, current, 'clinic'), onError: () => undefined })
      await thief.query(sql`set role clinic_data_app`)
      const { code, out } = await clinicd(['migrate'], environment(young))
      await assert.rejects(thief.query(sql`select from patient`), DatabaseUnavailable).finally(() => thief.close())
      const left = await logins()
      assert.deepEqual([requests(left), left.length], [[second], 2])
      const dropped = all.filter((name) => !left.includes(name)).map((name) => `dropped login ${name}\n`)
      assert.deepEqual([code, out], [0, dropped.join('')])
    })

    test('with two urls, requests are served with the login that the operator created, and a clinic is simulated beside them', async () => {
      const { superUrl, url } = shared
      const environment = await withLogin(url, 'requests')
      await serving(environment, async (address, adminAddress) => {
        assert.equal(await answersAs(superUrl, url, address), 'requests')
        const beside = { ...environment, ADMIN_PORT: new URL(adminAddress).port }
        assert.equal((await clinicd(['demo', '--clinic', 'filled', '--patients', '20'], beside)).code, 0)
        const simulated = await clinicd(['simulate', '--clinic', 'filled', '--rate', '20/s', '--for', '1s'], beside)
        assert.equal(simulated.code, 0, simulated.errors)
        assert.match(simulated.out, /^consistent: \d+ records are as they were told$/m)
      })
      // The keys are others than those of the test before.
      assert.match((await clinicd(['migrate'], environment)).out, /^dropped login clinic_data_console_\w+\n$/)
      assert.equal((await clinicd(['migrate'], environment)).out, 'Up to date.\n')

      const swapped = { ...environment, DATABASE_URL: url, DATABASE_OWNER_URL: url }
      const same = await clinicd(['serve'], swapped)
      assert.deepEqual([same.code, same.errors.includes('must name two logins')], [2, true], same.errors)
      await asking(superUrl, (admin) => admin.query(sql`grant pg_read_all_data to requests`))
      const member = await clinicd(['serve'], environment)
      assert.notEqual(member.code, 0)
      assert.match(
        member.errors,
        /the login requests is not bound by row level security: it is a member of pg_read_all_data/,
      )
    })

    test('no process is ready while the owner cannot sign in, or nothing can be written, and all are again by themselves', async (t) => {
      const { superUrl, url } = shared
      const settings = { ...(await withLogin(url, 'ready')), BACKEND_TOKEN: randomBytes(24).toString('hex') }
      const roles = ['all', 'backend', 'dispatcher'] as const
      const services = await Promise.all(roles.map((role) => serveHere(settings, role)))
      t.after(() => Promise.all(services.map((service) => service.stop())))
      const both = services.flatMap(({ address, adminAddress }) => [address, adminAddress].filter(Boolean))
      const allAnswer = (status: number) =>
        until(
          async () => {
            const answers = await Promise.all(both.map((address) => fetch(`${address}/readyz`)))
            return answers.every((answer) => answer.status === status)
          },
          () => `/readyz answers something else than ${status}`,
          20_000,
        )
      await allAnswer(200)

      await asking(superUrl, async (admin) => {
        await admin.maintain((tx) => tx.script(`alter role plain password '${newPassword()}'`))
        // Connections that are open outlive a password.
        await admin.query(sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'plain'`)
        await allAnswer(503)
        await admin.maintain((tx) => tx.script(`alter role plain password '${new URL(url).password}'`))
        await allAnswer(200)

        // A disk that is full refuses rows and answers questions.
        const full = `create function no_room() returns trigger language plpgsql as $$ begin raise using errcode = '53100'; end $$`
        const trigger = 'create trigger no_room before insert on audit for each row execute function no_room()'
        const [all = assert.fail()] = services
        const key = await clinicWithKey(url)
        const statusOf = async () =>
          (await fetch(`${all.address}/v1/patients`, { headers: { authorization: `Bearer ${key}` } })).status
        await admin.maintain((tx) => tx.script(`${full}; ${trigger}`))
        const isToldBy = (address: string) =>
          until(
            // A failure counts for a few seconds.
            async () => (await statusOf()) === 503 && (await fetch(`${address}/readyz`)).status === 503,
            () => `${address} is ready`,
            20_000,
          )
        for (const address of [all.address, all.adminAddress]) await isToldBy(address)
        await admin.maintain((tx) => tx.script('drop function no_room cascade'))
        assert.equal(await statusOf(), 200)
        await allAnswer(200)
      })
    })
  })
}

/** What an owner is told who may do even less. */
export function describeOwnerWithoutRoles(version: Version): void {
  const { skip, start } = servers[version]
  test(`${version}: an owner who may not create roles gets the statements that an administrator must run`, {
    skip,
  }, async (t) => {
    // No role of the service is there yet.
    const { superUrl, url, stop } = await plainOwner(start)
    t.after(stop)
    const password = newPassword()
    await asking(superUrl, (admin) =>
      admin.maintain((tx) =>
        tx.script(`alter role plain nocreaterole; create role requests login password '${password}'`),
      ),
    )
    const environment = {
      DATABASE_URL: as(url, 'requests', password),
      DATABASE_OWNER_URL: url,
      SECRET_KEYS: newSecretKey('a'),
    }
    const followAdvice = async (command: string, settings: Record<string, string>) => {
      const { code, errors } = await clinicd([command], settings)
      assert.equal(code, 1)
      const [, advice = ''] = /let an administrator run: (.*)/.exec(errors) ?? assert.fail(errors)
      await asking(superUrl, (admin) => admin.maintain((tx) => tx.script(advice)))
    }
    for (let step = 0; step < 3; step++) await followAdvice('migrate', environment)
    assert.equal((await clinicd(['migrate'], environment)).code, 0)

    assert.match((await clinicd(['serve'], environment)).errors, /name one .* as DATABASE_CONSOLE_URL/)
    await asking(superUrl, (admin) =>
      admin.maintain((tx) => tx.script(`create role people login password '${password}'`)),
    )
    const named = { ...environment, DATABASE_CONSOLE_URL: as(url, 'people', password) }
    await followAdvice('serve', named)
    await serving(named, async (_, adminAddress) => {
      assert.equal((await fetch(`${adminAddress}/console/`)).status, 200)
    })
  })
}
