// A newcomer's journey in a fresh clone: `npm start`, the line that it prints, pasted; SIGTERM, which leaves no process.
// `npm run test:newcomer` goes it with each npm that people have; it installs everything, so it is no part of `npm test`.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import test, { after, before } from 'node:test'

const root = dirname(dirname(import.meta.dirname))
const NPM_VERSIONS = ['12', '11', '10']
/** The first Node.js that npm 12 runs on; the older npms are tried on the machine's own. */
const NEW_NPM = '12'
const START_WITHIN_MS = 600_000

let folder: string

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'newcomer-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

for (const version of NPM_VERSIONS) {
  test(`with npm ${version}, npm start in a fresh clone serves the demo clinic, and SIGTERM leaves no process`, async (t) => {
    const npm = installNpm(version)
    const clone = join(folder, `clone-${version}`)
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone])
    const [port, adminPort] = await freePorts(2)
    const environment = { ...newcomersEnvironment(version), PORT: String(port), ADMIN_PORT: String(adminPort) }
    const started = spawn(process.platform === 'win32' ? 'node.exe' : 'node', [npm, 'start'], {
      cwd: clone,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    t.after(() => started.kill('SIGKILL'))
    const { stdout, stderr } = await printed(started, /Stop with Ctrl-C/)

    assert.doesNotMatch(stderr, /warn|EBADENGINE|deprecated/i, 'the installation is not silent')
    const line = /^ *(curl .*)$/m.exec(stdout)?.[1] ?? assert.fail('no curl line was printed')
    const answer = JSON.parse(execFileSync('bash', ['-c', line], { encoding: 'utf8' }))
    assert.ok(answer.data.length > 0)
    const docs = await fetch(`http://127.0.0.1:${port}/docs`)
    assert.equal(docs.status, 200)

    started.kill('SIGTERM')
    await once(started, 'exit')
    assert.deepEqual(processesIn(clone), [])
  })
}

/** The environment of somebody else: no cache, no settings, no development paths of this checkout. */
function newcomersEnvironment(version: string): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.includes('node_modules'))
  if (version === NEW_NPM) path.unshift(dirname(process.execPath))
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_(?!EXTRA_CA_CERTS)|INIT_CWD|DATA_DIR|DATABASE_URL|TEST_)/i.test(name),
  )
  return { ...Object.fromEntries(kept), ...registrySettings(), HOME: join(folder, 'home'), PATH: path.join(delimiter) }
}

/** Where packages come from is the machine's affair. */
function registrySettings(): NodeJS.ProcessEnv {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8', cwd: root }).trim()
  return { npm_config_registry: registry }
}

function installNpm(version: string): string {
  const prefix = join(folder, `npm-${version}`)
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--force', '--silent', `npm@${version}`],
    {
      encoding: 'utf8',
    },
  )
  assert.equal(status, 0, stderr)
  return join(prefix, 'node_modules', 'npm', 'bin', 'npm-cli.js')
}

function printed(child: ChildProcess, until: RegExp): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    const late = setTimeout(() => reject(new Error(`not started in time:\n${stdout}\n${stderr}`)), START_WITHIN_MS)
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    child.stdout?.on('data', (chunk) => {
      stdout += chunk
      if (!until.test(stdout)) return
      clearTimeout(late)
      resolve({ stdout, stderr })
    })
    child.on('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${stdout}\n${stderr}`)))
  })
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

/** The processes that run in a folder: the database's working directory is its data. */
function processesIn(clone: string): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(clone)
      } catch {
        return false
      }
    })
}
