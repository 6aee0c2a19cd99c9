// `npm run test:citus`: the tests on a Citus cluster. Its coordinator is named by CITUS_DATABASE_URL; without it they are skipped.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
const url = process.env.CITUS_DATABASE_URL

if (!url) {
  process.stdout.write(
    'skipped: no Citus cluster. Set CITUS_DATABASE_URL to the owner URL of a coordinator, postgres://…\n',
  )
} else {
  const files = globSync(
    ['packages/backend/test/**/*.test.ts', 'packages/server/test/**/*.test.ts', 'test/rules/**/*.test.ts'],
    { cwd: root },
  )
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'check.ts'), ...files], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE_URL: url },
  })
  process.exitCode = status ?? 1
}
