// Which paths are named to whoever asked for one that the API does not have.
import assert from 'node:assert/strict'
import test from 'node:test'
import { allOperations } from '@clinic-data/contract'
import { nearestPaths } from '../src/answers/nearest-paths.ts'

test('a slip, a missing part and a part too many lead to the path that is meant', () => {
  for (const [sent, meant] of [
    ['/v1/patient', '/v1/patients'],
    ['/v1/Patients', '/v1/patients'],
    ['/v1/patinets/', '/v1/patients'],
    ['/v1/appointment/123', '/v1/appointments/{id}'],
    ['/v1/patients/123/appointment', '/v1/patients/{id}/appointments'],
    ['/v1/patients/123/invoices', '/v1/patients/{id}'],
    ['/v1/branches', '/v1/catalog/branches'],
    ['/v1/test', '/v1/webhooks/{id}/test'],
    ['/patients', '/v1/patients'],
    ['/api/v1/patients', '/v1/patients'],
  ] as const)
    assert.deepEqual(nearestPaths(sent), [meant], sent)
  const several = nearestPaths('/v1/catalog')
  assert.equal(several.length, 3)
  for (const path of several) assert.match(path, /^\/v1\/catalog\/\w+$/)
})

test('what is named comes from the contract, and nothing far away is named', () => {
  const paths = new Set<string>(allOperations.map(({ path }) => path))
  const secret = 'sk_live_secret'
  for (const sent of [`/v1/patient/${secret}`, `/v1/${secret}/patient`, `/v1/calls/${secret}/record`])
    for (const path of nearestPaths(sent)) assert.ok(paths.has(path), path)
  for (const sent of ['', '/', '/v1', '/v1/x', '/nothing', '/docs/webhooks.html', '/docs/payments/x', '/.env'])
    assert.deepEqual(nearestPaths(sent), [], sent)
})

test('a path of a scanner is compared with nothing', () => {
  assert.deepEqual(nearestPaths(`/v1/patient/${'x'.repeat(200)}`), [])
  assert.deepEqual(nearestPaths(`/v1/patient${'/x'.repeat(8)}`), [])
})
