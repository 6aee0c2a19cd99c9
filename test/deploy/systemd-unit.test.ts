// The systemd unit of `deploy/`: systemd reads it without a complaint, and finds little that it leaves open.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const deploy = join(import.meta.dirname, '../../deploy')
const unit = join(deploy, 'clinicd.service')
const DAY_SECONDS = 86_400
const BACKUPS = ['clinicd-backup', 'clinicd-base-backup'].flatMap((name) => [`${name}.service`, `${name}.timer`])
/** Older ones cannot look at a file that is not installed. */
const OLDEST = 250
const version = Number(
  /^systemd (\d+)/.exec(spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1],
)
const skip = version >= OLDEST ? false : 'no systemd on this machine, or an old one'

/** The worst is 10, as systemd counts. Most units of a distribution are above 9. */
const MOST_EXPOSURE = 2

const analyze = (...argv: string[]) => spawnSync('systemd-analyze', argv, { encoding: 'utf8' })

test('systemd finds no fault in the unit, an instance of it that runs one role, and the nightly backups', {
  skip,
}, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'clinicd-unit-'))
  t.after(() => rmSync(folder, { recursive: true }))
  cpSync(unit, join(folder, 'clinicd@.service'))
  for (const path of [unit, join(folder, 'clinicd@gateway.service'), ...BACKUPS.map((name) => join(deploy, name))]) {
    const { status, stdout, stderr } = analyze('verify', path)
    assert.deepEqual([status, stdout, stderr], [0, '', ''])
  }
})

const makeFile = (path: string) => writeFileSync(path, '')
const makeFolder = (path: string) => {
  mkdirSync(path)
  makeFile(join(path, 'base.tar.gz'))
}
/** How a nightly backup looks, and which old files beside it are none. */
const NIGHTLY = {
  'clinicd-backup': {
    at: '/var/backups/clinicd',
    ending: '.backup',
    make: makeFile,
    others: ['.writing-old', 'notes.txt'],
  },
  'clinicd-base-backup': { at: '/var/backups/postgresql', ending: '', make: makeFolder, others: [] },
}

for (const [name, { at, ending, make, others }] of Object.entries(NIGHTLY)) {
  test(`${name} removes those that are older than is kept, and nothing else`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), `${name}-`))
    t.after(() => rmSync(folder, { recursive: true }))
    for (const other of others) makeFile(join(folder, other))
    const ages = { new: 0, kept: 14.5, old: 15.5 }
    for (const night of Object.keys(ages)) make(join(folder, night + ending))
    const days = [
      ...Object.entries(ages).map(([night, age]) => [night + ending, age] as const),
      ...others.map((other) => [other, 99] as const),
    ]
    for (const [entry, age] of days) {
      const seconds = Date.now() / 1000 - age * DAY_SECONDS
      utimesSync(join(folder, entry), seconds, seconds)
    }
    const unit = readFileSync(join(deploy, `${name}.service`), 'utf8')
    const [, KEPT_DAYS] = /KEPT_DAYS=(\d+)/.exec(unit) ?? []
    const [, line = ''] = /^ExecStartPost=(\/usr\/bin\/env find .*)$/m.exec(unit) ?? []
    const env = { ...process.env, KEPT_DAYS }
    const { status, stderr } = spawnSync('sh', ['-c', line.replace(at, folder)], { env, encoding: 'utf8' })
    assert.deepEqual([status, stderr], [0, ''])
    assert.deepEqual(readdirSync(folder).sort(), [...others, `kept${ending}`, `new${ending}`].sort())
  })
}

test('the journal names the service, not the program that starts it', () => {
  assert.match(readFileSync(unit, 'utf8'), /^SyslogIdentifier=%N$/m)
})

test('a wrong setting fails the unit, whose program ends with 2, instead of restarting it for ever', () => {
  assert.match(readFileSync(unit, 'utf8'), /^RestartPreventExitStatus=2$/m)
})

test('the unit leaves little open', { skip }, () => {
  const { stdout } = analyze('security', '--offline=true', '--no-pager', unit)
  const exposure = Number(
    /Overall exposure level for clinicd\.service: ([\d.]+)/.exec(stdout)?.[1] ?? assert.fail(stdout),
  )
  assert.ok(exposure <= MOST_EXPOSURE, stdout)
})
