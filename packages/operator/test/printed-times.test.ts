// The times in the JSON of operator commands are RFC 3339, as everywhere else.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { isInstant } from '@clinic-data/contract/formats'
import { newSecretKeys } from '@clinic-data/testing/grounds/in-this-process'
import { operator } from '@clinic-data/testing/shared/operator'

const environment = { DATABASE_URL: process.env.TEST_DATABASE_URL ?? '', SECRET_KEYS: newSecretKeys() }

/** Every field of an answer that holds a time, at any depth. */
function timesOf(value: unknown, name = ''): [name: string, time: string][] {
  if (typeof value === 'string') return /(^|_)(at|since|until)$/.test(name) ? [[name, value]] : []
  if (Array.isArray(value)) return value.flatMap((one) => timesOf(one, name))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => timesOf(one, key))
}

test('every time that an operator command prints as JSON is RFC 3339', async () => {
  const id = `c_${randomUUID().slice(0, 8)}`
  const printed: Record<string, string[]> = {}
  const run = async (...argv: string[]) => {
    const { code, out, errors } = await operator.run([...argv, '--json'], environment)
    assert.equal(code, 0, errors)
    const answer = JSON.parse(out)
    const times = timesOf(answer)
    for (const [name, time] of times) assert.ok(isInstant(time), `${argv.join(' ')}: ${name} is ${time}`)
    printed[`${argv[0]} ${argv[1]}`] = [...new Set(times.map(([name]) => name))]
    return answer
  }
  const of = ['--clinic', id]
  await run('clinics', 'create', '--id', id, '--name', 'Acme')
  await run('clinics', 'update', ...of, '--name', 'Acme Dental')
  const key = await run('keys', 'mint', ...of, '--scopes', 'reads', '--expires', '2099-01-01T00:00:00+02:00')
  await run('keys', 'revoke', key.id, ...of)
  await run('keys', 'list', ...of)
  const token = await run('ingest-tokens', 'mint', ...of)
  await run('ingest-tokens', 'revoke', token.id, ...of)
  await run('ingest-tokens', 'list', ...of)
  const person = await run('admins', 'create', ...of, '--email', 'noa@clinic.example', '--name', 'Noa Levi')
  await run('admins', 'link', person.id, ...of)
  await run('admins', 'disable', person.id, ...of)
  await run('admins', 'list', ...of)
  await run('audit', 'show', ...of)
  await run('clinics', 'delete', ...of, '--no-export', '--confirm', id)
  await run('clinics', 'list')
  assert.deepEqual(printed['clinics list'], ['created_at', 'closed_at', 'deleted_at'])
  assert.deepEqual(printed['keys list'], ['created_at', 'expires_at', 'revoked_at'])
  assert.deepEqual(printed['ingest-tokens list'], ['created_at', 'revoked_at'])
  assert.deepEqual(printed['admins list'], ['created_at', 'disabled_at'])
  assert.deepEqual(printed['admins link'], ['expires_at'])
})
