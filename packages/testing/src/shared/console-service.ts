// A whole service for all files of a process of tests that look at the console: `clinicd` on a database of its own, with the built page.
// Its background work looks at all clinics, and would remove what another file is about to use. Files are apart by clinic.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { migrations, tables } from '@clinic-data/backend/migrations'
import { openDatabase } from '@clinic-data/database'
import { migrate } from '@clinic-data/database/schema/migrate'
import { freePorts } from '../free-port.ts'
import { spawnClinicd } from '../programs/spawn-clinicd.ts'
import { createDatabase } from '../run/templates.ts'

const BUILD = join(import.meta.dirname, '../../../console/scripts/build.ts')
/** A process of tests that is killed cannot end its service. */
const ENDS_WITH_PARENT =
  'data:text/javascript,const { ppid } = process; setInterval(() => process.ppid === ppid || process.exit(), 1000).unref()'

export interface ConsoleService {
  /** The address of its database, as the owner of the tables. */
  readonly url: string
  /** The address of the public API. */
  readonly baseUrl: string
  /** The address of the private listener, which has the console. */
  readonly address: string
}

let service: Promise<ConsoleService> | undefined

/** Started by the first file that asks. Its process ends with this one, and its database with the run. */
export function consoleService(): Promise<ConsoleService> {
  service ??= start()
  return service
}

async function start(): Promise<ConsoleService> {
  await promisify(execFile)(process.execPath, [BUILD])
  const url = await newDatabase()
  const [port, adminPort] = await freePorts(2)
  const { child, address, adminAddress } = await spawnClinicd([], {
    DATABASE_URL: url,
    SECRET_KEYS: `t:${randomBytes(32).toString('base64')}`,
    // The page shows the public address, so it must be known before the start.
    PORT: String(port),
    // Apps lead to the console's address, so that must be known, too.
    ADMIN_PORT: String(adminPort),
    // A test's receivers are on this machine.
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    NODE_OPTIONS: `--import=${encodeURI(ENDS_WITH_PARENT)}`,
  })
  // No file waits for its end.
  child.unref()
  const output = child.stderr as Socket
  output.unref()
  process.once('exit', () => child.kill('SIGKILL'))
  return { url, baseUrl: address, address: adminAddress }
}

async function newDatabase(): Promise<string> {
  const configured = process.env.TEST_DATABASE_URL
  if (!configured) throw new Error('run the tests with npm test: it starts the database')
  const name = `${process.env.TEST_RUN}_console_${process.pid}`
  const server = await openDatabase({ url: configured, statementTimeoutMs: 0, writeConnections: 1 })
  await createDatabase(server, name, migrations)
  await server.close()
  const { href: url } = Object.assign(new URL(configured), { pathname: `/${name}` })
  const owner = await openDatabase({ url, statementTimeoutMs: 0, writeConnections: 1 })
  await migrate(owner, migrations, { tables, log: () => undefined })
  await owner.close()
  return url
}
