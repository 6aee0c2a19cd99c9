// Installs packages before `npm start` and `npm test`, when some are missing or the lock file has changed. Running needs neither the
// tools of tests nor, beside a new enough Node.js, another one: `--running` leaves these out.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const OLDEST_NODE = 24
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const programs = join(root, 'node_modules', '.bin')
const stamp = join(root, 'node_modules', '.installed')
const lock = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')
const onlyRunning = process.argv.includes('--running')
const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ') : []

// In an npm script, this process is already the Node.js that will run everything.
const isEnough = majorOf(process.version) >= OLDEST_NODE && (onlyRunning || installed[1] === 'all')
if (installed[0] !== lock || !isEnough) await install()

async function install() {
  const omitsNode = onlyRunning && majorOf(versionOf('node', pathOutside())) >= OLDEST_NODE
  // Explicit, because NODE_ENV and the settings of npm would decide otherwise.
  const parts = [
    onlyRunning ? '--omit=dev' : '--include=dev',
    omitsNode ? '--omit=peer' : '--include=peer',
    '--include=optional',
    '--no-legacy-peer-deps',
    '--loglevel=error',
  ]
  // `npm ci` begins by removing everything. What is there already stays, if it is of this lock file.
  const command = installed[0] === lock ? ['install', '--no-save'] : ['ci']
  if ((await timed('Installing packages', () => npm([...command, ...parts]))) !== 0)
    fail(`npm ${command[0]} failed; see its message above.`)
  if (!omitsNode && majorOf(versionOf(join(programs, 'node'), process.env.PATH)) < OLDEST_NODE) {
    fail(
      'Node.js 24 was not installed, because install scripts are switched off. Run: npm rebuild node --ignore-scripts=false',
    )
  }
  writeFileSync(stamp, `${lock} ${onlyRunning ? 'running' : 'all'}`)
}

/** Shows the seconds: each one on a terminal, in the end elsewhere. */
async function timed(phase, work) {
  const { stderr } = process
  const startedAt = performance.now()
  const seconds = (digits) => ((performance.now() - startedAt) / 1000).toFixed(digits)
  stderr.write(`${phase} …`)
  const timer = stderr.isTTY ? setInterval(() => stderr.write(`\r\x1b[K${phase} … ${seconds(0)} s`), 1000) : undefined
  const result = await work()
  clearInterval(timer)
  stderr.write(`${stderr.isTTY ? `\r\x1b[K${phase} …` : ''} ${seconds(1)} s\n`)
  return result
}

/** Runs the npm that runs this script, even if the PATH holds another. @returns its exit code. */
function npm(argv) {
  const { npm_execpath: path, npm_node_execpath: node = process.execPath } = process.env
  const options = { cwd: root, stdio: ['ignore', 'ignore', 2] }
  const child = path?.endsWith('.js')
    ? spawn(node, [path, ...argv], options)
    : spawn('npm', argv, { ...options, shell: process.platform === 'win32' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
}

/** The PATH without the programs of this folder: what is found there stays when packages are removed. */
function pathOutside() {
  const entries = (process.env.PATH ?? '').split(delimiter)
  return entries.filter((entry) => entry !== programs).join(delimiter)
}

function versionOf(node, PATH) {
  const options = { env: { ...process.env, PATH }, shell: process.platform === 'win32' }
  return String(spawnSync(node, ['--version'], options).stdout)
}

/** @example majorOf('v24.21.0') // 24 */
function majorOf(version) {
  return Number(/^v(\d+)\./.exec(version)?.[1] ?? 0)
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
