// For how long the copy of an app's document is used.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findRedirect } from '../src/apps/redirects.ts'
import { documentGround as ground } from './document-ground.ts'
import { sends } from './document-server.ts'

const MINUTE_MS = 60_000

describe('a copy', () => {
  test('is used as long as its server allows, from 5 minutes to a day', async (t) => {
    const cases: readonly [Record<string, string>, number][] = [
      [{}, 5],
      [{ 'cache-control': 'no-store' }, 5],
      [{ 'cache-control': 'max-age=0' }, 5],
      [{ 'cache-control': 'public, max-age=1800' }, 30],
      [{ 'cache-control': 'max-age=1800', age: '600' }, 20],
      [{ 'cache-control': 'max-age=99999999' }, 24 * 60],
      [{ expires: new Date(Date.UTC(2026, 6, 12, 7, 30)).toUTCString() }, 60],
    ]
    for (const [headers, minutes] of cases) {
      const { server, document, apps, clock } = await ground(t)
      server.answer = sends(document(), headers)
      await apps.find(server.url)
      await clock.run(minutes * MINUTE_MS - 1)
      await apps.find(server.url)
      assert.equal(server.asked.length, 1, JSON.stringify(headers))
      await clock.run(1)
      await apps.find(server.url)
      assert.equal(server.asked.length, 2, JSON.stringify(headers))
    }
  })

  test('of a document that has changed between consent and exchange is no longer that of the consent', async (t) => {
    const { server, document, apps, authentication, clock } = await ground(t)
    server.answer = sends(document())
    const consented = await apps.find(server.url)
    assert.notEqual(findRedirect(consented ?? { redirect_uris: [] }, 'https://agent.example.com/back'), null)
    server.answer = sends(document({ redirect_uris: ['https://evil.example/back'] }))
    await clock.run(5 * MINUTE_MS)
    const app = await authentication.authenticate({ client_id: server.url }, null)
    assert.equal(findRedirect(app, 'https://agent.example.com/back'), null)
  })

  test('that is too old is used while its server is away, and no longer once the server says that there is none', async (t) => {
    const { server, document, apps, refusal, clock } = await ground(t)
    server.answer = sends(document())
    await apps.find(server.url)
    server.answer = (_, response) => response.writeHead(503).end()
    await clock.run(5 * MINUTE_MS)
    assert.notEqual(await apps.find(server.url), null)
    server.answer = (_, response) => response.writeHead(404).end()
    await clock.run(10_000)
    assert.equal((await refusal()).code, 'invalid_client')
    server.answer = sends(document())
    // A failure is remembered for a moment.
    assert.equal((await refusal()).code, 'invalid_client')
    assert.equal(server.asked.length, 3)
    await clock.run(10_000)
    assert.notEqual(await apps.find(server.url), null)
  })

  test('is read once for a hundred at once', async (t) => {
    const { server, document, apps } = await ground(t)
    server.answer = sends(document())
    const found = await Promise.all(Array.from({ length: 100 }, () => apps.find(server.url)))
    assert.equal(found.filter((app) => app !== null).length, 100)
    assert.equal(server.asked.length, 1)
  })
})
