// `npm run test:citus`: runs the tests on a Citus cluster. CITUS_DATABASE_URL names its coordinator, or a command beside the
// repository starts one. Without either, the tests are skipped with a message. `-- <file> …` runs these files alone. `-- --processes` runs
// `npm run test:processes` on the cluster, or without one on PostgreSQL.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase, type Statement, sql } from '@clinic-data/database'
import { freePortsInARow } from '@clinic-data/testing/free-port'
import { folderOfRun } from './memory-folder.ts'
import { reachedTests } from './reached-tests.ts'

const root = dirname(import.meta.dirname)
/** `up <folder> <port>` starts a cluster and prints DATABASE_URL=…, `down <folder>` removes it. It needs root. */
const cluster = join(root, '..', 'shared', 'tools', 'citus-cluster')
/** The coordinator, and the two workers on the ports after it. */
const NODES = 3
/**
 * The cluster lives as long as the tests, so nothing of it waits for the disk. Shards are tables: with two a worker instead of
 * Citus' sixteen, each of the many databases that tests make costs a quarter.
 */
const SETTINGS: readonly Statement[] = [
  sql`alter system set fsync = off`,
  sql`alter system set full_page_writes = off`,
  sql`alter system set citus.shard_count = 4`,
  sql`select pg_reload_conf()`,
]

/** The tests of the others open no database. */
const PACKAGES = [
  ...['database', 'webhooks', 'records', 'audit', 'analytics', 'connect', 'administration', 'backend'],
  ...['conformance', 'demo', 'importers', 'installation', 'operator', 'server'],
]
/** They start the embedded server, whatever the run's database is. */
const OF_EMBEDDED =
  'packages/{operator/test/{backup,backup-while-migrating,changed-backup},server/test/plain-owner-18}.test.ts'
/** They try how processes start, share, wait and end: no statement is theirs alone. */
const OF_PROCESSES = 'packages/server/test/{demo-filling,draining,intake-start,workers}.test.ts'
/** It tries the conformance kit against broken backends. */
const OF_THE_KIT = 'packages/conformance/test/conformance-faults.test.ts'
/** Its second cluster at a time did not always come up. The chain itself is tested on a cluster by `audit`. */
const OF_ONE_SERVER = 'packages/operator/test/audit-verify.test.ts'

const { values, positionals } = parseArgs({ options: { processes: { type: 'boolean' } }, allowPositionals: true })
const configured = process.env.CITUS_DATABASE_URL
if (configured) process.exitCode = run(configured)
else if (existsSync(cluster) && process.getuid?.() === 0) {
  const folder = folderOfRun('clinic-data-citus')
  try {
    const ports = await freePortsInARow(NODES)
    const printed = execFileSync(cluster, ['up', folder, String(ports[0])], { encoding: 'utf8' })
    const url = /^DATABASE_URL=(\S+)$/m.exec(printed)?.[1] ?? ''
    for (const port of ports) await hasten(url, port)
    process.exitCode = run(url)
  } finally {
    execFileSync(cluster, ['down', folder])
  }
} else if (values.processes) process.exitCode = run()
else {
  process.stdout.write(
    'skipped: there is no Citus cluster. Set CITUS_DATABASE_URL to the owner URL of a coordinator, postgres://…\n',
  )
}

async function hasten(url: string, port: number): Promise<void> {
  const place = new URL(url)
  place.port = String(port)
  const node = await openDatabase({ url: place.href, statementTimeoutMs: 0, writeConnections: 1 })
  for (const setting of SETTINGS) await node.query(setting)
  await node.close()
}

/** @param url of the cluster's coordinator. Without it the run makes its own database. */
function run(url?: string): number {
  const files = positionals.length > 0 ? positionals : filesWithDatabase()
  const argv = values.processes ? ['scripts/test-processes.ts'] : ['scripts/check.ts', ...files]
  const { status } = spawnSync(process.execPath, argv, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(url !== undefined && { TEST_DATABASE_URL: url }) },
  })
  return status ?? 1
}

/** The everyday tests of these folders that open the run's database, by imports, where it matters which database it is. */
function filesWithDatabase(): string[] {
  const files = globSync(
    [
      ...PACKAGES.map((name) => `packages/${name}/test/**/*.test.ts`),
      'test/{payments,webhooks,events}.test.ts',
      'test/rules/**/*.test.ts',
    ],
    {
      cwd: root,
      exclude: [
        '**/*.long.test.ts',
        'packages/database/test/embedded-*.test.ts',
        ...[OF_EMBEDDED, OF_ONE_SERVER, OF_PROCESSES, OF_THE_KIT],
      ],
    },
  )
  const reached = new Set(reachedTests(files, ['packages/testing/src/run/application.ts']))
  return files.filter(
    (file) => reached.has(file) || readFileSync(join(root, file), 'utf8').includes('TEST_DATABASE_URL'),
  )
}
