// The systemd unit of `deploy/`: systemd reads it without a complaint, and finds little that it leaves open.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
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

test('a night’s backup removes those that are older than is kept, and nothing else', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'clinicd-backups-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const ages = { 'new.backup': 0, 'kept.backup': 14.5, 'old.backup': 15.5, 'notes.txt': 99, '.writing-old': 99 }
  for (const [name, days] of Object.entries(ages)) {
    const path = join(folder, name)
    writeFileSync(path, '')
    const seconds = Date.now() / 1000 - days * DAY_SECONDS
    utimesSync(path, seconds, seconds)
  }
  const backup = readFileSync(join(deploy, 'clinicd-backup.service'), 'utf8')
  const [, KEPT_DAYS] = /KEPT_DAYS=(\d+)/.exec(backup) ?? []
  const [, line = ''] = /^ExecStartPost=(.*)$/m.exec(backup) ?? []
  const removes = line.replace('/var/backups/clinicd', folder)
  const { status, stderr } = spawnSync('sh', ['-c', removes], { env: { ...process.env, KEPT_DAYS }, encoding: 'utf8' })
  assert.deepEqual([status, stderr], [0, ''])
  assert.deepEqual(readdirSync(folder).sort(), ['.writing-old', 'kept.backup', 'new.backup', 'notes.txt'])
})

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
