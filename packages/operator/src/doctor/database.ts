// Looks at the database: whether it answers, its version, its encryption and its clock, and the logins of the service.

import { type Database, openDatabase, sql } from '@clinic-data/database'
import { connector, destroy } from '@clinic-data/database/connections/connect'
import { isOfFirstVersions } from '@clinic-data/database/embedded/cluster-folder'
import { findEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { hasCluster } from '@clinic-data/database/embedded/restore-postgres'
import type { Config } from '@clinic-data/installation/config'
import { consoleLogin, databaseLogins } from '@clinic-data/installation/database/database-logins'
import { givenSecretKeys } from '@clinic-data/installation/secret-key-file'
import { leadsHere } from '@clinic-data/installation/settings/addresses'
import { firstLineOf } from '../output.ts'
import { auditExportFindings } from './audit-export.ts'
import { erasureFindings, restoredFindings } from './erasures.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import { keysOfDatabaseFindings } from './secret-keys.ts'
import { NO_WAY_BACK, tablesFinding } from './tables.ts'

/** Signatures, leases and sessions are told by this machine's clock, keys and idempotency by the database's. */
const MOST_MS_APART = 2_000
const POOLS = { readConnections: 1, writeConnections: 1, scanConnections: 1 } as const

export async function embeddedFindings(config: Config): Promise<Finding[]> {
  const { dataDir } = config
  if (!hasCluster(dataDir)) return [ok('database', 'embedded; the first start makes it')]
  const running = await findEmbeddedPostgres(dataDir)
  if (running === null) {
    const database = ok('database', 'embedded; it is not running, and a start opens it')
    try {
      const isOld = await isOfFirstVersions(dataDir)
      const tables = isOld ? [warning('tables', `they are of a first version. ${NO_WAY_BACK}`)] : []
      return [database, ...tables, ...(await restoredFindings(dataDir))]
    } catch (error) {
      return [fault('database', `its folder cannot be read: ${firstLineOf(error)}`)]
    }
  }
  const secretKeys = await givenSecretKeys(config).catch(() => null)
  return withOwner(running.ownerUrl, async (owner) => [
    ok('database', `embedded, ${(await factsOf(owner)).version}, running`),
    ...(await keysOfDatabaseFindings(owner, secretKeys)),
    await tablesFinding(owner),
    ...(await erasureFindings(owner, config.dataDir)),
    ...(await auditExportFindings(config, owner, new Date())),
  ])
}

export async function externalFindings(config: Config, databaseUrl: string): Promise<Finding[]> {
  const secretKeys = await givenSecretKeys(config).catch(() => null)
  const logins = databaseLogins(databaseUrl, { ...config, secretKeys })
  const found = await withOwner(logins.ownerUrl, async (owner) => {
    const facts = await factsOf(owner)
    return [
      databaseFinding(logins.ownerUrl, facts),
      ...(await keysOfDatabaseFindings(owner, secretKeys)),
      await tablesFinding(owner),
      ...(await erasureFindings(owner, config.dataDir)),
      await loginsFinding(owner, config, { appUrl: logins.appUrl, ownerUrl: logins.ownerUrl, secretKeys }, facts),
      clockFinding(facts),
      ...(await auditExportFindings(config, owner, new Date())),
    ]
  })
  const { replicaUrl } = logins
  return replicaUrl === null ? found : [...found, await standbyFinding(replicaUrl)]
}

async function withOwner(url: string, look: (owner: Database) => Promise<Finding[]>): Promise<Finding[]> {
  let owner: Database
  try {
    owner = await openDatabase({ url, ...POOLS })
  } catch (error) {
    return [fault('database', firstLineOf(error))]
  }
  try {
    return await look(owner)
  } catch (error) {
    return [fault('database', firstLineOf(error))]
  } finally {
    await owner.close()
  }
}

interface Facts {
  version: string
  is_encrypted: boolean
  may_make_roles: boolean
  /** How much later the database's clock is than this machine's. */
  aheadMs: number
}

async function factsOf(owner: Database): Promise<Facts> {
  const askedAt = Date.now()
  const { rows } = await owner.query<Omit<Facts, 'aheadMs'> & { ms: number }>(sql`
    select 'PostgreSQL ' || current_setting('server_version')
        || coalesce((select ' with Citus ' || extversion from pg_extension where extname = 'citus'), '') as version,
      coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as is_encrypted,
      (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as may_make_roles,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`)
  const [found] = rows
  if (found === undefined) throw new Error('the database did not tell its version')
  const { ms, ...facts } = found
  return { ...facts, aheadMs: Math.round(ms - (askedAt + Date.now()) / 2) }
}

export function databaseFinding(
  url: string,
  { version, is_encrypted }: Pick<Facts, 'version' | 'is_encrypted'>,
): Finding {
  if (is_encrypted || leadsHere(url))
    return ok('database', `${version}, ${is_encrypted ? 'encrypted' : 'on this machine'}`)
  return warning(
    'database',
    `${version}, not encrypted: add sslmode=verify-full to its address, unless something else encrypts the way`,
  )
}

interface Urls {
  appUrl: string | null
  ownerUrl: string
  secretKeys: Awaited<ReturnType<typeof givenSecretKeys>>
}

async function loginsFinding(owner: Database, config: Config, urls: Urls, facts: Facts): Promise<Finding> {
  const { appUrl, ownerUrl, secretKeys } = urls
  if (appUrl === null || secretKeys === null) return warning('logins', 'not looked at: they follow from SECRET_KEYS')
  const people = consoleLogin(ownerUrl, config, secretKeys)
  const wanted = [
    { url: appUrl, made: config.databaseOwnerUrl === null, setting: 'DATABASE_URL' },
    { url: people.url, made: people.made !== null, setting: 'DATABASE_CONSOLE_URL' },
  ]
  const later: string[] = []
  for (const { url, made, setting } of wanted) {
    const { rows } = await owner.query(
      sql`select from pg_roles where rolname = ${decodeURIComponent(new URL(url).username)}`,
    )
    if (rows.length === 0 && !made) return fault('logins', `there is no login as ${setting} names it`)
    if (rows.length === 0 && !facts.may_make_roles)
      return fault(
        'logins',
        `the owner may not make the login of ${setting}: let an administrator make one, and set it`,
      )
    if (rows.length === 0) later.push(setting)
    else {
      try {
        await (await openDatabase({ url, ownerUrl, ...POOLS })).close()
      } catch (error) {
        return fault('logins', firstLineOf(error))
      }
    }
  }
  return ok('logins', later.length === 0 ? 'those of requests and of the console come in' : 'a start makes them')
}

export function clockFinding({ aheadMs }: Pick<Facts, 'aheadMs'>): Finding {
  const apart = Math.abs(aheadMs)
  if (apart <= MOST_MS_APART) return ok('clock', `the database's is ${aheadMs} ms ahead of this machine's`)
  return warning('clock', `the database's is ${aheadMs} ms ahead of this machine's: let both follow NTP`)
}

async function standbyFinding(replicaUrl: string): Promise<Finding> {
  const standby = connector({ url: replicaUrl, role: 'standby', statementTimeoutMs: 7_000, onError: () => undefined })
  try {
    const client = await standby({ pipeline: false })
    destroy(client)
    return ok('standby', 'answers')
  } catch (error) {
    return warning('standby', `it is not used, and the primary answers analytics: ${firstLineOf(error)}`)
  }
}
