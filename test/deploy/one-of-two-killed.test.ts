// The proxies of `deploy/` in front of two services, of which one is killed under load: the other answers every read.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openDatabase } from '@clinic-data/database'
import { startClinicd } from '@clinic-data/testing/clinicd-process'
import { emptyClinic, keyOf } from '@clinic-data/testing/test-service'
import { API, FrontProxy, frontNames, hasFront } from './front-proxy.ts'

const url = process.env.TEST_DATABASE_URL ?? assert.fail('run the tests with npm test: it starts the database')
const CLIENTS = 4
/** Long enough for several looks at whether a service lives. */
const READS = { before: 200, after: 1_000 }

const settings = {
  DATABASE_URL: url,
  SECRET_KEYS: `t:${randomBytes(32).toString('base64')}`,
  BASE_URL: `https://${API}`,
  TRUSTED_PROXIES: '127.0.0.1',
  RATE_LIMIT: '1000000/60',
}

for (const name of frontNames) {
  const skip = hasFront(name) ? false : `no ${name} on this machine`
  test(`behind ${name} the end of one of two services costs no read`, { skip }, async (t) => {
    const owner = await openDatabase({ url })
    t.after(() => owner.close())
    const headers = { authorization: `Bearer ${await keyOf(owner, await emptyClinic(owner), ['patients:read'])}` }
    const services = [await startClinicd([], settings), await startClinicd([], settings)] as const
    t.after(() => services[0].end('SIGKILL'))
    const front = await FrontProxy.start(name, ...services)
    t.after(() => front.stop())

    const failed: string[] = []
    const read = async (times: number) => {
      for (let i = 0; i < times / CLIENTS; i++) {
        const { status, text } = await front.ask('/v1/me', { headers })
        if (status !== 200) failed.push(`${status} ${text}`)
      }
    }
    const readAll = (times: number) => Promise.all(Array.from({ length: CLIENTS }, () => read(times)))
    await readAll(READS.before)
    for (const { answering } of services) assert.ok(answering.size > 0, 'both serve')
    const going = readAll(READS.after)
    await services[1].end('SIGKILL')
    await going
    assert.deepEqual(failed, [])
  })
}
