// `npm run release`: what it makes of a commit, and what it refuses.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { ReleaseClone } from './release-clone.ts'

const root = dirname(import.meta.dirname)
const VERSION = '3.1.4'
const NOTES = '- One thing is new.\n- Another is mended.'
const TARBALLS = ['clinic-data-cli', 'clinic-data-client', 'clinic-data-conformance', 'clinic-data-contract', 'clinicd']
/** npm tells no licence of these: their manifests name none. Each brings the text of one. */
const UNNAMED_LICENCES = ['png-js']

const folder = mkdtempSync(join(tmpdir(), 'release-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const clone = cloned('clone')
clone.prepare(VERSION, NOTES)
clone.commit()
const made = clone.release(['--no-image'])
const out = join(clone.folder, 'dist/release')
const textOf = (name: string) => readFileSync(join(out, name), 'utf8')

function cloned(name: string): ReleaseClone {
  mkdirSync(join(folder, name))
  return new ReleaseClone(join(folder, name))
}

function unpacked(name: string): string {
  const target = join(clone.folder, '.staging/unpacked', name)
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', join(out, `${name}-${VERSION}.tgz`), '-C', target, '--strip-components=1'])
  return target
}

test('a release is the packages, the changelog’s section, a bill of materials and sums, and leaves the tree clean', () => {
  assert.deepEqual([made.status, made.stderr], [0, ''])
  assert.deepEqual(readdirSync(out).sort(), [
    ...['RELEASE-NOTES.md', 'SHA256SUMS', `clinic-data-api-${VERSION}.cdx.json`],
    ...TARBALLS.slice(0, -1).map((name) => `${name}-${VERSION}.tgz`),
    ...[`clinic_data-${VERSION}-py3-none-any.whl`, `clinicd-${VERSION}.tgz`],
  ])
  assert.equal(textOf('RELEASE-NOTES.md'), `# ${VERSION}\n\n${NOTES}\n`)
  assert.match(made.stdout, /No image: --no-image/)
  assert.equal(execFileSync('git', ['status', '--porcelain'], { cwd: clone.folder, encoding: 'utf8' }), '')
})

test('an independent program accepts the sums of all files, and finds one that was changed', () => {
  const [program, ...argv] = spawnSync('sha256sum', ['--version']).error ? ['shasum', '-a', '256'] : ['sha256sum']
  const check = (sums: string) =>
    spawnSync(program ?? '', [...argv, '-c', '-'], { cwd: out, input: sums, encoding: 'utf8' })
  const sums = textOf('SHA256SUMS')
  const { status, stdout } = check(sums)
  assert.equal(status, 0)
  assert.equal(stdout.match(/: OK$/gm)?.length, readdirSync(out).length - 1)
  assert.equal(check(sums.replace(/^[0-9a-f]{4}/, '0000')).status, 1)
})

test('each packed package, unpacked, has the version; sc tells it, and clinicd the commit too', () => {
  for (const name of TARBALLS) {
    const target = unpacked(name)
    assert.equal(JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')).version, VERSION)
  }
  const versionOf = (name: string, program: string) =>
    execFileSync(process.execPath, [join(clone.folder, '.staging/unpacked', name, program), '--version'], {
      encoding: 'utf8',
    })
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: clone.folder, encoding: 'utf8' })
  assert.equal(versionOf('clinicd', 'packages/server/bin/clinicd.mjs'), `${VERSION}+${commit.slice(0, 12)}\n`)
  assert.match(versionOf('clinic-data-cli', 'dist/sc.cjs'), new RegExp(`\\b${VERSION.replaceAll('.', '\\.')}\\b`))
})

interface Locked {
  packages: Record<string, { version: string; integrity?: string; dependencies?: Record<string, string> }>
}

test('clinicd’s tarball locks all that it needs, complete for npm, in the versions and hashes of the repository', () => {
  const target = unpacked('clinicd')
  const { packages } = JSON.parse(readFileSync(join(target, 'package-lock.json'), 'utf8')) as Locked
  const { packages: known } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Locked
  const hashes = new Set(Object.entries(known).map(([path, { integrity }]) => `${nameOf(path)} ${integrity}`))
  const { '': own, ...needed } = packages
  for (const [path, { integrity }] of Object.entries(needed)) {
    assert.ok(integrity !== undefined && hashes.has(`${nameOf(path)} ${integrity}`), path)
  }
  const manifest = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'))
  assert.deepEqual(own?.dependencies, manifest.dependencies)
  for (const name of ['typescript', 'vite', 'react', 'esbuild']) assert.equal(needed[`node_modules/${name}`], undefined)
  // It fails where a package is missing or has a version that another one does not accept.
  const listed = spawnSync('npm', ['ls', '--all', '--package-lock-only', '--omit=dev'], {
    cwd: target,
    encoding: 'utf8',
  })
  assert.equal(listed.status, 0, listed.stderr)
})

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

interface Bill {
  metadata: { timestamp: string; component: { name: string; version: string } }
  components: { name: string; version: string; purl: string; hashes?: unknown[]; licenses?: unknown[] }[]
}

test('the bill of materials fits CycloneDX’s own schema', () => {
  const schemas = join(root, 'node_modules/@cyclonedx/cyclonedx-library/res/schema')
  const schema = (name: string) => JSON.parse(readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8'))
  const ajv = new Ajv({ strict: false })
  for (const name of ['spdx', 'jsf-0.82']) {
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
  }
  addFormats.default(ajv)
  // These two have no checker in the library. Nothing in our bill uses them.
  for (const format of ['iri-reference', 'idn-email']) ajv.addFormat(format, true)
  const validate = ajv.compile(schema('bom-1.5'))
  const bill = JSON.parse(textOf(`clinic-data-api-${VERSION}.cdx.json`)) as Bill
  assert.ok(validate(bill), JSON.stringify(validate.errors, null, 2))
  assert.ok(!validate({ ...bill, components: [{ name: 'without a type' }] }))
})

test('the bill names all that is installed or bundled, in the tested version, hashed, and nothing that only builds or tests', () => {
  const { metadata, components } = JSON.parse(textOf(`clinic-data-api-${VERSION}.cdx.json`)) as Bill
  assert.deepEqual([metadata.component.name, metadata.component.version], ['clinic-data-api', VERSION])
  assert.equal(metadata.timestamp, '2026-01-02T03:04:05.000Z')
  const has = (name: string) => components.some((one) => one.name === name)
  const manifests = globSync('packages/*/package.json', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  )
  const direct = manifests.flatMap((text) => Object.keys(JSON.parse(text).dependencies ?? {}))
  const shipped = direct.filter((name) => !name.startsWith('@clinic-data/') && !['esbuild', 'vite'].includes(name))
  assert.ok(shipped.length > 20)
  // The last one is needed by others alone.
  for (const name of [...shipped, 'fast-uri']) assert.ok(has(name), name)
  const locked = JSON.parse(readFileSync(join(unpacked('clinicd'), 'package-lock.json'), 'utf8')) as Locked
  for (const [path, { version }] of Object.entries(locked.packages)) {
    const isNamed = components.some((one) => one.name === nameOf(path) && one.version === version)
    assert.ok(path === '' || isNamed, `${path} ${version}`)
  }
  for (const name of [
    'typescript',
    'vite',
    'rolldown',
    'esbuild',
    '@biomejs/biome',
    'fast-check',
    'axe-core',
    '@types/node',
  ]) {
    assert.ok(!has(name), name)
  }
  for (const { name, version, purl, hashes, licenses } of components) {
    assert.ok(purl.endsWith(`@${version}`), purl)
    assert.ok(hashes?.length, name)
    assert.ok(licenses?.length || UNNAMED_LICENCES.includes(name), `${name} has no licence`)
    // Several versions of one package may be there, and packages for other platforms are not.
    if (!components.some((other) => other.name === name && other.version !== version)) {
      const installed = join(root, 'node_modules', name, 'package.json')
      if (existsSync(installed)) assert.equal(JSON.parse(readFileSync(installed, 'utf8')).version, version, name)
    }
  }
})

test('the same commit, released again elsewhere, gives the same bytes', () => {
  const other = cloned('elsewhere')
  other.prepare(VERSION, NOTES)
  other.commit()
  const elsewhere = join(folder, 'out')
  assert.equal(other.release(['--no-image', '--out', elsewhere]).status, 0)
  assert.equal(readFileSync(join(elsewhere, 'SHA256SUMS'), 'utf8'), textOf('SHA256SUMS'))
})

test('an unknown option is an error, not a release', () => {
  const { status, stderr } = clone.release(['--no-images'])
  assert.equal(status, 1)
  assert.match(stderr, /--no-images/)
})

test('a folder that holds something else than a release stays as it is', () => {
  const other = join(folder, 'documents')
  mkdirSync(other)
  writeFileSync(join(other, 'letter.txt'), 'Dear Dana')
  const { status, stderr } = clone.release(['--no-image', '--out', other])
  assert.equal(status, 1)
  assert.match(stderr, /documents holds something else than a release/)
  assert.deepEqual(readdirSync(other), ['letter.txt'])
})

test('where the image cannot be built there is no new release, and the former one stays', () => {
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  const argv = join(folder, 'argv')
  const failing = `#!/bin/sh\n[ "$1" = --version ] && exit 0\necho "$*" > ${argv}\necho "no such base image" >&2\nexit 1\n`
  writeFileSync(join(programs, 'buildah'), failing, { mode: 0o755 })
  const before = readdirSync(out)
  const { status, stderr } = clone.release([], programs)
  assert.equal(status, 1)
  assert.match(stderr, /The image was not built: buildah build failed\. --no-image leaves it out\.\nno such base image/)
  assert.deepEqual(readdirSync(out), before)
  assert.deepEqual(readdirSync(join(clone.folder, 'dist')), ['release'])
  // The labels of an image tell what was built.
  const built = readFileSync(argv, 'utf8')
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: clone.folder, encoding: 'utf8' }).trim()
  assert.ok(built.includes(`--label=org.opencontainers.image.version=${VERSION} `), built)
  assert.ok(built.includes(`--label=org.opencontainers.image.revision=${commit} `), built)
})
