// Installs the dependencies when none are there yet, or the lock file has changed since: the step before `npm start` and `npm test`.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'node_modules', '.installed')
const lock = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  process.stderr.write('Installing dependencies (npm ci) …\n')
  // `--include=dev`: the Node.js that runs the server is a development dependency, also where NODE_ENV=production is set.
  const result = spawnNpm(['ci', '--include=dev', '--loglevel=error'])
  if (result.status !== 0) fail('npm ci failed; its own message stands above.')
  if (
    !existsSync(join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')) ||
    !nodeRuns()
  ) {
    fail('Node.js 24 was not installed: install scripts are switched off. Run: npm rebuild node --ignore-scripts=false')
  }
  writeFileSync(stamp, lock)
}

/** The npm that runs this script, whatever else the PATH holds. */
function spawnNpm(argv) {
  const npm = process.env.npm_execpath
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  return npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...argv], options)
    : spawnSync('npm', argv, { ...options, shell: process.platform === 'win32' })
}

function nodeRuns() {
  const found = spawnSync(join(root, 'node_modules', '.bin', 'node'), ['--version'], {
    shell: process.platform === 'win32',
  })
  return found.status === 0 && /^v2[4-9]\./.test(String(found.stdout))
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
