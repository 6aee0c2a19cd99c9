// The page of the console on the private listener: what it may do, what is kept, and what no path reaches.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import pino from 'pino'
import { adminListener } from '../src/private/admin-listener.ts'
import { consolePage } from '../src/private/console-page.ts'

const baseUrl = 'https://api.example.com'
const log = pino({ level: 'silent' })
const INDEX = '<!doctype html><title>built</title>'
const SCRIPT = 'export const built = true'
const STYLE = 'main { color: navy }'
const FONT = 'of another type'

async function listener(t: TestContext, isBuilt = true) {
  const folder = mkdtempSync(join(tmpdir(), 'console-'))
  t.after(() => rmSync(folder, { recursive: true }))
  if (isBuilt) {
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), INDEX)
    writeFileSync(join(folder, 'sources.txt'), 'not served')
    writeFileSync(join(folder, 'assets', 'index-1a2b.js'), SCRIPT)
    writeFileSync(join(folder, 'assets', 'index-3c4d.css'), STYLE)
    writeFileSync(join(folder, 'assets', 'index-5e6f.woff2'), FONT)
    writeFileSync(join(folder, 'assets', 'index-1a2b.js.gz'), gzipSync(SCRIPT))
    writeFileSync(join(folder, 'assets', 'index-1a2b.js.br'), brotliCompressSync(SCRIPT))
  }
  const app = adminListener({ maxConnections: 10, trustedProxies: [], baseUrl, log })
  t.after(() => app.close())
  await app.register(consolePage({ baseUrl, folder }))
  return app
}

test('every address of the console answers the page, and asks each time whether it changed', async (t) => {
  const app = await listener(t)
  for (const url of ['/console', '/console/', '/console/keys', '/console/account?from=mail', '/console/a/b/c']) {
    const answer = await app.inject({ url })
    assert.equal(answer.statusCode, 200, url)
    assert.equal(answer.payload, INDEX, url)
    assert.equal(answer.headers['cache-control'], 'no-cache')
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
  }
})

test('the policy lets only scripts of our own files run, and no other host is asked', async (t) => {
  const app = await listener(t)
  for (const url of [
    '/console',
    '/console/authorize?client_id=sc',
    '/console/assets/index-1a2b.js',
    '/console/assets/nothing.js',
    '/console/api/nothing',
  ]) {
    const { headers } = await app.inject({ url })
    const policy = new Map(
      String(headers['content-security-policy'])
        .split('; ')
        .map((part) => [part.split(' ')[0], part.split(' ').slice(1).join(' ')]),
    )
    assert.equal(policy.get('default-src'), "'none'", url)
    assert.equal(policy.get('script-src'), "'self'", url)
    assert.equal(policy.get('connect-src'), "'self'", url)
    assert.equal(policy.get('frame-ancestors'), "'none'", url)
    assert.equal(policy.get('base-uri'), "'none'", url)
    assert.ok(![...policy.values()].some((sources) => /http|\*/.test(sources)), url)
    assert.equal(headers['x-content-type-options'], 'nosniff', url)
    assert.equal(headers['referrer-policy'], 'no-referrer', url)
  }
})

test('an asset is kept for ever, and comes in the shortest form that the client takes', async (t) => {
  const app = await listener(t)
  const ask = (encoding: string) =>
    app.inject({ url: '/console/assets/index-1a2b.js', headers: { 'accept-encoding': encoding } })
  const [brotli, gzip] = [await ask('gzip, deflate, br, zstd'), await ask('gzip, deflate')]
  assert.equal(brotli.headers['content-encoding'], 'br')
  assert.deepEqual(brotli.rawPayload, brotliCompressSync(SCRIPT))
  assert.equal(gzip.headers['content-encoding'], 'gzip')
  assert.deepEqual(gzip.rawPayload, gzipSync(SCRIPT))
  for (const answer of [brotli, gzip, await ask('identity'), await ask('gzip;q=0')]) {
    assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(answer.headers.vary, 'accept-encoding')
    assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8')
  }
  for (const encoding of ['identity', 'gzip;q=0', 'br;q=0, gzip;q=0.0']) {
    const plain = await ask(encoding)
    assert.equal(plain.payload, SCRIPT, encoding)
    assert.equal(plain.headers['content-encoding'], undefined, encoding)
  }
})

test('an asset that an earlier version has built comes as it is where a form is lacking', async (t) => {
  const app = await listener(t)
  const answer = await app.inject({ url: '/console/assets/index-3c4d.css', headers: { 'accept-encoding': 'br' } })
  assert.deepEqual([answer.statusCode, answer.payload], [200, STYLE])
  assert.equal(answer.headers['content-encoding'], undefined)
})

test('an asset of another type is served as bytes, and the compressed forms have no address of their own', async (t) => {
  const app = await listener(t)
  const font = await app.inject({ url: '/console/assets/index-5e6f.woff2' })
  assert.deepEqual([font.statusCode, font.payload], [200, FONT])
  assert.equal(font.headers['content-type'], 'application/octet-stream')
  for (const ending of ['gz', 'br'])
    assert.equal((await app.inject({ url: `/console/assets/index-1a2b.js.${ending}` })).statusCode, 404, ending)
})

test('no path leaves the folder of the assets, and an unknown one is not found', async (t) => {
  const app = await listener(t)
  const unknown = ['nothing.js', '../index.html', '..%2Fsources.txt', '%2e%2e/sources.txt', '__proto__', '']
  for (const path of [...unknown.map((name) => `/console/assets/${name}`), '/console/api/nothing']) {
    const answer = await app.inject({ url: path })
    const isPage = answer.statusCode === 200 && answer.payload === INDEX
    assert.ok(isPage || answer.statusCode === 404, path)
    assert.ok(!answer.payload.includes('not served'), path)
  }
  assert.equal((await app.inject({ url: '/console/assets/nothing.js' })).statusCode, 404)
  assert.match(
    String((await app.inject({ url: '/console/api/nothing' })).headers['content-type']),
    /^application\/problem\+json/,
  )
  assert.equal((await app.inject({ method: 'POST', url: '/console/keys' })).statusCode, 404)
  assert.equal((await app.inject({ url: '/consoles' })).statusCode, 404)
})

test('where the console is not built, its address says how to build it', async (t) => {
  const answer = await (await listener(t, false)).inject({ url: '/console/keys' })
  assert.equal(answer.statusCode, 503)
  assert.match(answer.payload, /npm run console/)
  assert.match(String(answer.headers['content-security-policy']), /^default-src 'none'/)
})

test('an install without Vite starts, and says that the console is not built; asked to build it, it fails', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'console-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const root = join(import.meta.dirname, '../../..')
  const own = ['package.json', 'index.html', 'vite.config.ts', 'scripts', 'src'].map(
    (name) => `packages/console/${name}`,
  )
  for (const name of [...own, 'packages/contract/src', 'packages/console-contract/src', 'package-lock.json']) {
    cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  const build = (...argv: string[]) =>
    spawnSync(process.execPath, [join(folder, 'packages/console/scripts/build.ts'), ...argv], { encoding: 'utf8' })
  const starting = build('--starting')
  assert.deepEqual([starting.status, starting.stderr], [0, ''])
  assert.match(starting.stdout, /^Building the console … not built: Cannot find package 'vite'/)
  assert.equal(build().status, 1)
  assert.equal(existsSync(join(folder, 'packages/console/dist')), false)
})
