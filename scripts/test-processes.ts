// `npm run test:processes`: the tests of how the service behaves, against two gateways, two backends and two dispatchers as processes
// of their own, on PostgreSQL or on the database that TEST_DATABASE_URL names. Tests that replace a part keep a service of their own.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
const files = globSync('test/**/*.test.ts', { cwd: root }).filter((file) =>
  /\bstartService\(\)|'\.\/sc-service\.ts'/.test(readFileSync(join(root, file), 'utf8')),
)
const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'check.ts'), ...files], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, TEST_PROCESSES: '6' },
})
process.exitCode = status ?? 1
