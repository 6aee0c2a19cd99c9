// The proxies of `deploy/` wait longer for what lasts: an archive or an erasure of a patient, and an export of the activity, which all come
// from the console. They hold nothing of it back, and keep nothing.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { until } from '@clinic-data/testing/until'
import { CONSOLE, type FrontName, FrontProxy, frontNames, hasFront } from './front-proxy.ts'

const LASTING = ['/console/api/patients/p1/export', '/console/api/patients/p1/erase', '/console/api/activity/export']
const POSTED = { method: 'POST', host: CONSOLE, body: '{}' }

/** A service that answers nothing but that it lives, until the test does it. */
async function inFront(t: TestContext, name: FrontName) {
  const waiting: ServerResponse[] = []
  const service = createServer((request, response) => {
    if (request.url === '/healthz') response.end()
    else waiting.push(response)
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  t.after(() => {
    service.closeAllConnections()
    service.close()
  })
  const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  const front = await FrontProxy.startImpatient(name, { address, adminAddress: address })
  t.after(() => front.stop())
  const arrived = (count: number) =>
    until(
      async () => waiting.length === count,
      () => `${waiting.length} of ${count} have arrived`,
    )
  return { front, waiting, arrived }
}

for (const name of frontNames) {
  const skip = hasFront(name) ? false : `no ${name} on this machine`
  test(`${name} still waits for an archive, an erasure and an export when it waits for nothing else any more`, {
    skip,
  }, async (t) => {
    const { front, waiting, arrived } = await inFront(t, name)
    const lasting = LASTING.map((path) => front.ask(path, POSTED))
    await arrived(LASTING.length)
    // It came later, and is given up first.
    assert.equal((await front.ask('/console/api/keys', POSTED)).status, 503)
    for (const response of waiting) response.end('all of it')
    for (const { status, text } of await Promise.all(lasting)) assert.deepEqual([status, text], [200, 'all of it'])
  })

  test(`${name} passes on what there is of an export before its end`, { skip }, async (t) => {
    const { front, waiting, arrived } = await inFront(t, name)
    const opening = front.open('/console/api/activity/export', POSTED)
    await arrived(1)
    waiting[0]?.write('the first line\n')
    const parts: string[] = []
    const answer = (await opening).setEncoding('utf8').on('data', (part: string) => parts.push(part))
    await until(
      async () => parts.join('') === 'the first line\n',
      () => 'the first line is held back',
    )
    const ended = once(answer, 'end')
    waiting[0]?.end('the last line\n')
    await ended
    assert.equal(parts.join(''), 'the first line\nthe last line\n')
  })
}
