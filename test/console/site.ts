// The console for the tests: the built page and its operations on a private listener, beside a whole service, open in Chromium.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { promisify } from 'node:util'
import { createAdministrator, makeSignInLink, signInAddress } from '@clinic-data/backend/console/administrators'
import { listKeys } from '@clinic-data/backend/keys'
import { migrations, tables } from '@clinic-data/backend/migrations'
import { openDatabase, sql, utcSession } from '@clinic-data/database'
import { migrate } from '@clinic-data/database/schema/migrate'
import { chromiumProgram, Tab } from '@clinic-data/testing/chromium'
import { startClinicd } from '@clinic-data/testing/clinicd-process'
import { freePort } from '@clinic-data/testing/free-port'
import { emptyClinic, keyOf } from '@clinic-data/testing/test-service'
import { createDatabase } from '@clinic-data/testing/templates'

const BUILD = join(import.meta.dirname, '../../packages/console/scripts/build.ts')
const run = promisify(execFile)

export type ConsoleSite = Awaited<ReturnType<typeof openConsoleSite>>

type Environment = Readonly<Record<string, string>>

/**
 * Opens the console before a file's tests and closes it after them. A machine without Chromium skips the tests.
 * @param environment - further settings of `clinicd`.
 * @returns why the tests are skipped, or false.
 */
export function openBeforeTests(
  prepare: (site: ConsoleSite) => void | Promise<void>,
  environment: () => Promise<Environment> = async () => ({}),
): string | false {
  const program = chromiumProgram()
  if (program === null) return 'no Chromium on this machine'
  let site: ConsoleSite | undefined
  before(async () => {
    site = await openConsoleSite(program, await environment())
    await prepare(site)
  })
  after(() => site?.close())
  return false
}

/** Builds the page, unless it is built, and opens a tab beside a running `clinicd` with these settings. The clinic has one administrator and no keys. */
async function openConsoleSite(program: string, environment: Environment) {
  await run(process.execPath, [BUILD])
  const database = await ownDatabase()
  const { url } = database
  const owner = await openDatabase({ url })
  const clinic = await emptyClinic(owner)
  const { clinic_id } = clinic
  const now = () => new Date()
  const email = 'dana@clinic.example'
  const { id } = await createAdministrator(owner, { clinic_id, email, name: 'Dana Levi', now: now() })
  const service = await startClinicd([], {
    DATABASE_URL: url,
    SECRET_KEYS: `t:${randomBytes(32).toString('base64')}`,
    // The page shows the public address, so it must be known before the start.
    PORT: String(await freePort()),
    // A test's receivers are on this machine.
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    ...environment,
  })
  const { address: baseUrl, adminAddress: address } = service
  const tab = await Tab.open(program)

  const link = async () => signInAddress(address, (await makeSignInLink(owner, { clinic_id, id, now: now() })).token)
  return {
    ...{ tab, owner, clinic, baseUrl, address, clinic_id, email, link },
    password: randomBytes(12).toString('base64url'),
    keys: () => listKeys(owner, clinic_id),
    mint: (name: string) => keyOf(owner, clinic, ['patients:read'], null, name),
    statusWith: async (key: string) =>
      (await fetch(`${baseUrl}/v1/me`, { headers: { authorization: `Bearer ${key}` } })).status,
    /** Opens a page of a new session. */
    async signIn(path: string) {
      await tab.visit(await link())
      await tab.until(`document.querySelector('nav a')`)
      await tab.visit(`${address}${path}`)
      await tab.until(`document.querySelector('main h1')`)
    },
    async signOut() {
      await tab.run(`fetch('/console/api/sign-out', { method: 'POST', body: '{}',
        headers: { 'x-console': '1', 'content-type': 'application/json' } })`)
    },
    /** As if the sessions had begun so many minutes earlier. */
    growOld: (minutes: number) =>
      owner.write(utcSession(clinic_id), (tx) =>
        tx.query(sql`update administrator_session set created_at = created_at - ${minutes} * interval '1 minute'
          where clinic_id = ${clinic_id}`),
      ),
    /** As their time does. */
    endSessions: () =>
      owner.write(utcSession(clinic_id), (tx) =>
        tx.query(sql`delete from administrator_session where clinic_id = ${clinic_id}`),
      ),
    async close() {
      await tab.close()
      await service.end('SIGTERM')
      await owner.close()
      await database.drop()
    },
  }
}

/** The service's background work looks at all clinics, and would remove what another file's test is about to use. */
async function ownDatabase() {
  const given = process.env.TEST_DATABASE_URL
  if (!given) throw new Error('run the tests with npm test: it starts the database')
  const name = `console_${randomBytes(6).toString('hex')}`
  const server = await openDatabase({ url: given, statementTimeoutMs: 0, writeConnections: 1 })
  await createDatabase(server, name, migrations)
  const { href: url } = Object.assign(new URL(given), { pathname: `/${name}` })
  const owner = await openDatabase({ url, statementTimeoutMs: 0, writeConnections: 1 })
  await migrate(owner, migrations, { tables, log: () => undefined })
  await owner.close()
  return {
    url,
    async drop() {
      await server.query(sql`drop database ${sql.identifier(name)} with (force)`)
      await server.close()
    },
  }
}
