// The profiles of `sc`: several clinics on one machine, and no command that reaches another one than was named.
import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import test from 'node:test'
import { emptyClinic, keyOf } from '@clinic-data/testing/run/test-service'
import { newFolder, sc } from './sc.ts'
import { clinic, service, variables } from './sc-service.ts'

test('each profile has its own key, a named one goes before the variables, and the list shows no key', async () => {
  const folder = await newFolder()
  const here = { SC_CONFIG_DIR: folder }
  const other = await emptyClinic(service.owner)
  const login = (key: string, more: string[]) =>
    sc(['login', '--key-stdin', ...more], { variables: { ...here, SC_BASE_URL: variables.SC_BASE_URL }, stdin: key })
  assert.equal((await login(clinic.key, [])).code, 0)
  assert.equal((await login(await keyOf(service.owner, other, ['patients:read']), ['--profile', 'haifa'])).code, 0)

  const clinicOf = async (words: string[], more = {}) =>
    JSON.parse((await sc(['whoami', '--format', 'json', ...words], { variables: { ...here, ...more } })).out).data
      .clinic_id
  const first = clinic.clinic.clinic_id
  assert.equal(await clinicOf([]), first)
  assert.equal(await clinicOf(['--profile', 'default'], { SC_PROFILE: 'haifa' }), first)
  assert.equal(await clinicOf([], { SC_PROFILE: 'haifa' }), other.clinic_id)
  assert.equal(await clinicOf([], { SC_PROFILE: 'haifa', SC_API_KEY: clinic.key }), first)
  const elsewhere = { SC_API_KEY: clinic.key, SC_BASE_URL: 'http://127.0.0.1:1' }
  assert.equal(await clinicOf(['--profile', 'haifa'], elsewhere), other.clinic_id)

  const list = await sc(['profiles', '--format', 'json'], { variables: { ...here, SC_PROFILE: 'haifa' } })
  const base_url = variables.SC_BASE_URL
  assert.deepEqual(JSON.parse(list.out).data, [
    { profile: 'default', base_url, in_use: false },
    { profile: 'haifa', base_url, in_use: true },
  ])
  const withKey = await sc(['profiles'], { variables: { ...here, SC_API_KEY: 'sk_live_' } })
  assert.match(withKey.errors, /^SC_API_KEY is set and goes before them; --profile goes before it\.\n/)
  assert.equal((await sc(['profiles'], { variables: here })).errors, '')
  assert.match((await sc(['profiles'], { variables: here })).out, /^profile +base_url +in_use\ndefault .*true\nhaifa /)

  // A key of the profile in use by itself would mend nothing.
  const refused = await sc(['payments', 'search', '--profile', 'haifa'], { variables: here })
  assert.match(refused.errors, /hint: connect again: sc login --profile haifa --scopes reads /)
  assert.match(refused.errors, /store it with sc login --profile haifa --key\n/)

  for (const words of [
    ['--profile', 'eilat'],
    ['--profile', 'x', '--profile', 'y'],
    ['--profile', '../haifa'],
  ]) {
    const { code, errors } = await sc(['whoami', ...words], { variables: here })
    assert.ok(code === 4 || code === 2, errors)
    assert.match(errors, /profile/)
  }
  assert.equal((await sc(['logout', '--profile', 'haifa'], { variables: here })).code, 0)
  assert.deepEqual([await readdir(`${folder}/profiles`), await clinicOf([])], [[], first])
  await rm(folder, { recursive: true })
})
