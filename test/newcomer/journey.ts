// A newcomer's first steps in a fresh clone: `npm start`, pasting the printed line, SIGTERM, which leaves no process, and another start.
// It prints how long the first answers took. `npm run test:newcomer` tries every common npm version. It installs everything, so it is
// not part of `npm test`.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test, { after, before } from 'node:test'
import { freePorts } from '@clinic-data/testing/free-port'
import { installNpm, newcomersEnvironment, printed } from './newcomer-environment.ts'

const root = dirname(dirname(import.meta.dirname))
const NPM_VERSIONS = ['12', '11', '10']
/** The oldest Node.js that npm 12 supports. Older npm versions run on the machine's own. */
const NEW_NPM = '12'

let folder: string

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'newcomer-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

for (const version of NPM_VERSIONS) {
  test(`with npm ${version}, npm start in a fresh clone serves the demo clinic, also when started again, and SIGTERM leaves no process`, async (t) => {
    const npm = await installNpm(version, folder)
    const clone = join(folder, `clone-${version}`)
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone])
    const [port, adminPort] = await freePorts(2)
    const home = join(folder, 'home')
    const environment = {
      ...newcomersEnvironment(home, version === NEW_NPM),
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
    }
    const cache = existsSync(join(home, '.npm')) ? 'filled' : 'empty'
    const startedAt = performance.now()
    const started = npmStart(npm, clone, environment)
    t.after(() => endGroup(started))
    const { stdout, stderr } = await printed(started, /^ *curl .*$/m)

    assert.doesNotMatch(stderr, /warn|EBADENGINE|deprecated/i, 'the installation is not silent')
    const installed = /^Installing packages … [\d.]+ s$/m.exec(stderr)?.[0] ?? assert.fail(stderr)
    assert.match(stdout, /^Preparing the database … [\d.]+ s\nPreparing the demo clinic … [\d.]+ s$/m)
    assert.doesNotMatch(stdout + stderr, /\r/)
    const line = pasted(stdout)
    t.diagnostic(`first answer after ${secondsSince(startedAt)} s; npm's cache was ${cache}: ${installed}`)
    const docs = await fetch(`http://127.0.0.1:${port}/docs`)
    assert.equal(docs.status, 200)

    started.kill('SIGTERM')
    await once(started, 'exit')
    assert.deepEqual(processesIn(clone), [])

    const againAt = performance.now()
    const again = npmStart(npm, clone, environment)
    t.after(() => endGroup(again))
    const { stdout: printedAgain } = await printed(again, /^ *curl .*$/m)
    assert.equal(pasted(printedAgain), line, 'a restart prints another key')
    t.diagnostic(`first answer of a restart after ${secondsSince(againAt)} s`)
    again.kill('SIGTERM')
    await once(again, 'exit')
    assert.deepEqual(processesIn(clone), [])
  })
}

function npmStart(npm: string, clone: string, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.platform === 'win32' ? 'node.exe' : 'node', [npm, 'start'], {
    cwd: clone,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own: every process that npm started ends with it, also when this test fails.
    detached: true,
  })
}

/** Pastes the printed line into a shell and expects patients. @returns the line */
function pasted(stdout: string): string {
  const line = /^ *(curl .*)$/m.exec(stdout)?.[1] ?? assert.fail('no curl line was printed')
  const answer = JSON.parse(execFileSync('bash', ['-c', line], { encoding: 'utf8' }))
  assert.ok(answer.data?.length > 0, JSON.stringify(answer))
  return line
}

function secondsSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(1)
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The processes of a folder: the database's working directory is its data. */
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
