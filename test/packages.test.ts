// The packages that the service serves: packed from its source, the same bytes each time, for anyone, and listed with their hashes.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { WHEEL_FILE } from '@clinic-data/gateway/packages/served-package'
import { packagesOnDemand } from '@clinic-data/server/packages-on-demand'
import { BASE_URL, startParts } from '@clinic-data/testing/run/test-service'
import { unzipSync } from 'fflate'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const packages = packagesOnDemand({ log })
const service = await startParts({ packages })
test.after(() => service.close())

function get(path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') {
  return service.gateway.app.inject({ method, url: path, headers })
}

/** The files in a tarball by name. */
function unpacked(bytes: Buffer): Map<string, string> {
  const tar = gunzipSync(bytes)
  const files = new Map<string, string>()
  for (let at = 0; tar[at] !== 0; ) {
    const name = tar.toString('utf8', at, tar.indexOf(0, at))
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8)
    files.set(name, tar.toString('utf8', at + 512, at + 512 + size))
    at += 512 + Math.ceil(size / 512) * 512
  }
  return files
}

test('the list names each package with its address, its size and the hash of its very bytes', async () => {
  for (const path of ['/packages', '/packages/']) {
    const { statusCode, body, headers } = await get(path)
    assert.equal(statusCode, 200)
    assert.match(String(headers['content-type']), /^application\/json/)
    const { data } = JSON.parse(body)
    assert.deepEqual(
      data.map(({ url }: { url: string }) => url),
      ['client.tgz', 'sc.tgz', WHEEL_FILE].map((file) => `${BASE_URL}/packages/${file}`),
    )
    for (const { url, size_bytes, integrity } of data) {
      const { rawPayload } = await get(url.slice(BASE_URL.length))
      assert.equal(rawPayload.length, size_bytes)
      assert.equal(integrity, `sha512-${hash('sha512', rawPayload, 'base64')}`)
    }
  }
})

test('each npm package needs no other one, and brings its licence, its changes and what its manifest names', async () => {
  for (const { name, file, bytes, version } of (await packages()).filter(({ file }) => file.endsWith('.tgz'))) {
    const files = unpacked(bytes)
    const manifest = JSON.parse(files.get('package/package.json') ?? '')
    assert.deepEqual([manifest.name, manifest.version], [name, version])
    for (const kind of ['dependencies', 'devDependencies', 'peerDependencies', 'scripts'])
      assert.equal(manifest[kind], undefined, `${file} ${kind}`)
    for (const one of ['LICENSE', 'CHANGELOG.md', 'README.md']) assert.ok(files.get(`package/${one}`), `${file} ${one}`)
    const named = [...Object.values(manifest.bin ?? {}), ...Object.values(manifest.exports?.['.'] ?? {})]
    assert.ok(named.length > 0)
    for (const path of named) assert.ok(files.has(`package/${String(path).replace(/^\.\//, '')}`), `${file} ${path}`)
  }
})

test('the wheel is what pip reads: its name, its files with their hashes, and nothing beside httpx', async () => {
  const wheel = (await packages()).find(({ file }) => file === WHEEL_FILE) ?? assert.fail('no wheel')
  assert.equal(WHEEL_FILE, `clinic_data-${wheel.version}-py3-none-any.whl`)
  const { headers, rawPayload } = await get(`/packages/${WHEEL_FILE}`)
  assert.deepEqual([headers['content-type'], rawPayload.equals(wheel.bytes)], ['application/zip', true])
  const files = unzipSync(wheel.bytes)
  const info = `clinic_data-${wheel.version}.dist-info`
  const textOf = (name: string) => Buffer.from(files[name] ?? assert.fail(name)).toString()
  const metadata = textOf(`${info}/METADATA`).split('\n\n')[0] ?? ''
  assert.deepEqual(metadata.match(/^(Name|Version|Requires.*):.*$/gm), [
    'Name: clinic-data',
    `Version: ${wheel.version}`,
    'Requires-Python: >=3.10',
    'Requires-Dist: httpx>=0.23,<1',
  ])
  const recorded = textOf(`${info}/RECORD`).trim().split('\n')
  assert.deepEqual(recorded.map((line) => line.split(',')[0]).sort(), Object.keys(files).sort())
  for (const [name = '', sum, size] of recorded.map((line) => line.split(','))) {
    if (name === `${info}/RECORD`) continue
    const content = files[name] ?? assert.fail(name)
    assert.deepEqual([sum, size], [`sha256=${hash('sha256', content, 'base64url')}`, String(content.length)])
  }
  for (const name of ['LICENSE', 'CHANGELOG.md', 'WHEEL']) assert.ok(files[`${info}/${name}`], name)
  for (const name of ['py.typed', '__init__.py', 'generated/methods.py']) assert.ok(files[`clinic_data/${name}`], name)
})

test('a file is for anyone: no key, a tag that saves the next download, HEAD, and nothing else', async () => {
  const { statusCode, headers, rawPayload } = await get('/packages/client.tgz', { 'accept-encoding': 'br, gzip' })
  assert.deepEqual(
    [statusCode, headers['content-type'], headers['content-encoding']],
    [200, 'application/gzip', undefined],
  )
  assert.match(String(headers['cache-control']), /^public, max-age=\d+$/)
  const known = await get('/packages/client.tgz', { 'if-none-match': String(headers.etag) })
  assert.deepEqual([known.statusCode, known.body], [304, ''])
  const head = await get('/packages/client.tgz', {}, 'HEAD')
  assert.deepEqual([head.statusCode, head.headers['content-length']], [200, String(rawPayload.length)])
  const posted = await get('/packages/client.tgz', {}, 'POST')
  assert.deepEqual([posted.statusCode, posted.headers.allow], [405, 'GET, HEAD'])
  for (const path of ['/packages/server.tgz', '/packages/..%2fpackage.json', '/packages/client.tgz/'])
    assert.equal((await get(path)).statusCode, 404, path)
})

test('the install page says the lines with this service’s address, and the hashes', async () => {
  const { body } = await get('/docs/install')
  assert.ok(body.includes(`npm install ${BASE_URL}/packages/client.tgz`))
  assert.ok(body.includes(`npm install --global ${BASE_URL}/packages/sc.tgz`))
  assert.ok(body.includes(`python3 -m pip install ${BASE_URL}/packages/${WHEEL_FILE}`))
  const wheel = (await packages()).find(({ file }) => file === WHEEL_FILE)
  assert.ok(body.includes(`#sha512=${hash('sha512', wheel?.bytes ?? '')}`))
  for (const { bytes } of await packages()) assert.ok(body.includes(`sha512-${hash('sha512', bytes, 'base64')}`))
})

test('what could not be packed is tried again after a minute, not at every request, and logged each time; then it has the same bytes', async (t) => {
  const { TMPDIR } = process.env
  t.after(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  })
  let now = 0
  const logged: unknown[] = []
  const wanted = packagesOnDemand({
    log: { ...log, error: (fields: unknown) => void logged.push(fields) },
    now: () => now,
  })
  process.env.TMPDIR = '/nowhere'
  await assert.rejects(wanted(), /ENOENT/)
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
  now = 59_999
  await assert.rejects(wanted(), /ENOENT/)
  assert.equal(logged.length, 1)
  now = 60_000
  const bytes = (all: Awaited<ReturnType<typeof wanted>>) => all.map((one) => hash('sha256', one.bytes))
  assert.deepEqual(bytes(await wanted()), bytes(await packages()))
})

test('while the packages cannot be packed, they are unavailable, the install page stands, and the rest works', async () => {
  const failing = await startParts({ packages: () => Promise.reject(new Error('no space')) })
  try {
    for (const url of ['/packages', '/packages/client.tgz']) {
      const { statusCode, headers, body } = await failing.gateway.app.inject({ url })
      assert.deepEqual([statusCode, headers['retry-after'], body.includes('no space')], [503, '60', false])
    }
    const page = await failing.gateway.app.inject({ url: '/docs/install' })
    assert.equal(page.statusCode, 200)
    assert.ok(page.body.includes('/packages/client.tgz') && !page.body.includes('version 0'))
  } finally {
    await failing.close()
  }
})
