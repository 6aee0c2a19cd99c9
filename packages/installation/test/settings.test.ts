// Settings: a misspelt name is refused, secrets may stand in files, and a page names each of them.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { settingsDocument } from '../scripts/settings-document.ts'
import { ConfigError, readConfig } from '../src/config.ts'
import { isNear, type Setting, secretSettings, settingNames, settingsIn } from '../src/settings/setting-names.ts'

const folder = mkdtempSync(join(tmpdir(), 'settings-'))
after(() => rmSync(folder, { recursive: true }))

function fileOf(text: string): string {
  const path = join(folder, randomBytes(6).toString('hex'))
  writeFileSync(path, text)
  return path
}

const refused = (line: RegExp) => (error: unknown) => error instanceof ConfigError && line.test(error.message)

test('a misspelt name is refused while the right one is not set, and all of them at once', () => {
  const url = 'postgres://db.example/clinic?sslmode=verify-full'
  const slips: [string, Setting][] = [
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['SECRET_KEY', 'SECRET_KEYS'],
    ['TRUSTED_PROXEIS', 'TRUSTED_PROXIES'],
    ['BACKENND_TOKEN', 'BACKEND_TOKEN'],
  ]
  for (const [written, meant] of slips)
    assert.throws(
      () => readConfig({ [written]: url }),
      refused(new RegExp(`^there is no setting ${written}; write ${meant},`)),
    )
  assert.throws(() => readConfig({ SECRET_KEYS_FLE: 'x' }), refused(/write SECRET_KEYS_FILE/))
  assert.throws(() => readConfig({ DATABSE_URL: url, SECRET_KEY: 'x' }), refused(/DATABSE_URL;.*; .*SECRET_KEY;/))
  assert.equal(readConfig({ DATABASE_URL: url, DATABASE_URI: 'sqlite:' }).databaseUrl, url)
  // The value may be a secret.
  assert.throws(
    () => readConfig({ SECRET_KEY: 'a secret' }),
    (error) => !String(error).includes('a secret'),
  )
})

test('the variables of other programs are not taken for settings', () => {
  const others = ['HOME', 'PATH', 'POST', 'PORTS', 'HOSTNAME', 'NODE_ENV', 'TZ', 'BACKEND_PORT', 'BACKEND_SERVICE_HOST']
  others.push(
    'DATABASE_PRIVATE_URL',
    'REDIS_HOST',
    'OTEL_TRACES_SAMPLER',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'TEST_DATABASE_URL',
  )
  readConfig(Object.fromEntries(others.map((name) => [name, 'x'])))
  readConfig({ DATABSE_URL: ' ' })
})

test('no setting is one slip away from another, so each name means one', () => {
  for (const one of settingNames)
    for (const other of settingNames) assert.equal(isNear(one, other), one === other, `${one} ${other}`)
})

test('each secret may stand in a file, without the line break at its end', () => {
  for (const name of secretSettings) {
    assert.equal(settingsIn({ [`${name}_FILE`]: fileOf(' a value\n') })(name), 'a value')
    assert.throws(() => settingsIn({ [name]: 'x', [`${name}_FILE`]: fileOf('y') }), refused(/are both set/))
  }
  const SECRET_KEYS_FILE = fileOf(`a:${randomBytes(32).toString('base64')}\n`)
  assert.equal(readConfig({ SECRET_KEYS_FILE }).secretKeys?.[0].id, 'a')
})

test('a file that is missing, empty or too long is refused with its setting and its path', () => {
  const missing = join(folder, 'missing')
  const faults: [string, RegExp][] = [
    [missing, /^SECRET_KEYS_FILE names .*missing, which cannot be read \(ENOENT\)$/],
    [fileOf('\n'), /which is empty$/],
    [fileOf('a'.repeat(64 * 1024 + 1)), /which is longer than 65536 characters$/],
  ]
  for (const [path, line] of faults) assert.throws(() => readConfig({ SECRET_KEYS_FILE: path }), refused(line))
  assert.throws(
    () => readConfig({ SECRET_KEYS_FILE: missing, BACKEND_TOKEN_FILE: missing }),
    refused(/BACKEND_TOKEN_FILE.*; SECRET_KEYS_FILE/),
  )
})

test('the page of all settings is made from their definitions', () => {
  const path = join(import.meta.dirname, '../../../docs/settings.md')
  assert.equal(readFileSync(path, 'utf8'), settingsDocument(), 'write it anew: npm run golden')
})
