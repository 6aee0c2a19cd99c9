// Stages `clinicd` for a machine without this repository: one package that npm installs beside a bare Node.js 24. It brings our own
// packages as JavaScript, the built page of the console, and the packages that the service serves. npm fetches only their dependencies.
// Ours stand in `packages/`, as here, and import each other by paths: npm leaves out what a global package depends on if it bundles any.
//
//   node scripts/stage-server.ts [folder]   // .staging/server: clinicd-<version>.tgz
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { lockOf } from './release/lock.ts'
import { type Manifest, type Staged, stagePackages, stageWheel } from './stage-packages.ts'
import { tarball } from './tarball.ts'

const root = dirname(import.meta.dirname)
const OWN = '@clinic-data/'
const directoryOf = (name: string) => name.slice(OWN.length)

/** These pack packages from their source: here they come packed. */
const NOT_NEEDED = ['esbuild']
/** Folders of a package that its program does not read. */
const LEFT_OUT = new Set(['test', 'scripts', 'golden', 'node_modules'])
/** Read by the pages of the reference. */
const DOCUMENTS = [
  'CHANGELOG.md',
  'docs/api-changes.md',
  'docs/clients.md',
  'examples/keep-a-copy.mjs',
  'examples/keep-a-copy.py',
]

const manifestOf = (name: string) =>
  JSON.parse(readFileSync(join(root, 'packages', directoryOf(name), 'package.json'), 'utf8')) as Manifest

/** Stages the server into a folder, which is emptied first. */
export function stageServer(folder: string): Staged {
  rmSync(folder, { recursive: true, force: true })
  const target = join(folder, 'clinicd')
  const names = ownPackages(`${OWN}server`)
  for (const name of names) stageOwn(name, join(target, 'packages', directoryOf(name)))
  nameCommit(join(target, 'packages/server/package.json'))
  stageConsole(join(target, 'packages/console'))
  stageServed(folder, join(target, 'packages/server/packed'))
  for (const file of ['LICENSE', ...DOCUMENTS]) cpSync(join(root, file), join(target, file))
  const manifest = serverManifest(names)
  const lock = lockOf(root, manifest, names.map(directoryOf))
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(join(target, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`)
  const file = join(folder, `clinicd-${manifest.version}.tgz`)
  writeFileSync(file, tarball(target))
  return { name: manifest.name, version: manifest.version, folder: target, tarball: file }
}

/** Writes into the manifest which commit the package is made of, as npm does. Files that are not committed are of none. */
function nameCommit(file: string): void {
  const git = (...argv: string[]) => spawnSync('git', argv, { cwd: root, encoding: 'utf8' })
  const changed = git('status', '--porcelain')
  if (changed.status !== 0 || changed.stdout !== '') return
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  const gitHead = git('rev-parse', 'HEAD').stdout.trim()
  writeFileSync(file, `${JSON.stringify({ ...manifest, gitHead }, null, 2)}\n`)
}

/** A package of ours and all of ours that it needs. */
function ownPackages(name: string, found = new Set<string>()): readonly string[] {
  if (!found.has(name)) {
    found.add(name)
    for (const needed of Object.keys(manifestOf(name).dependencies ?? {})) {
      if (needed.startsWith(OWN)) ownPackages(needed, found)
    }
  }
  return [...found].sort()
}

function serverManifest(names: readonly string[]) {
  const { version, license } = manifestOf(`${OWN}server`)
  const manifests = names.map(manifestOf)
  const needed = Object.assign({}, ...manifests.map(({ dependencies = {} }) => dependencies)) as Record<string, string>
  const optionalDependencies = Object.assign(
    {},
    ...manifests.map(({ optionalDependencies = {} }) => optionalDependencies),
  )
  const fetched = Object.entries(needed).filter(([name]) => !name.startsWith(OWN) && !NOT_NEEDED.includes(name))
  const dependencies = Object.fromEntries(fetched.sort())
  return {
    name: 'clinicd',
    version,
    description: 'The Clinic Data API: gateway, backend, dispatcher and console.',
    license,
    type: 'module',
    engines: { node: '>=24' },
    bin: { clinicd: 'packages/server/bin/clinicd.mjs' },
    dependencies,
    optionalDependencies,
  }
}

/** Copies a package, with JavaScript in place of TypeScript: Node.js runs none from below `node_modules`. Every line keeps its number. */
function stageOwn(name: string, target: string): void {
  const source = join(root, 'packages', directoryOf(name))
  for (const file of globSync('**/*.*', { cwd: source, exclude: (path) => LEFT_OUT.has(path.split('/')[0] ?? '') })) {
    const copied = join(target, file.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(copied), { recursive: true })
    cpSync(join(source, file), copied)
    if (/\.(ts|mjs)$/.test(file)) writeFileSync(copied, javascript(name, file, readFileSync(copied, 'utf8')))
  }
}

function javascript(name: string, file: string, text: string): string {
  const stripped = file.endsWith('.ts') ? stripTypeScriptTypes(text) : text
  const depth = dirname(join(directoryOf(name), file))
  return stripped
    .replaceAll(/(from |import |import\()'(@clinic-data\/[^']+)'/g, (whole, before: string, specifier: string) => {
      const path = pathOf(specifier)
      return path === null ? whole : `${before}'${relative(depth, path)}'`
    })
    .replaceAll(/(['"])(\.{1,2}\/[^'"\n]*)\.ts\1/g, '$1$2.js$1')
}

/** The file of an import, by the exports of its package. Null for one that is only published. */
function pathOf(specifier: string): string | null {
  const [, directory = '', file] = specifier.split('/')
  if (!existsSync(join(root, 'packages', directory, 'package.json'))) return null
  const exports = manifestOf(`${OWN}${directory}`).exports ?? {}
  const exact = exports[file === undefined ? '.' : `./${specifier.split('/').slice(2).join('/')}`]
  const path = exact ?? exports['./*']?.replace('*', specifier.split('/').slice(2).join('/'))
  return path === undefined ? null : join(directory, path)
}

/** The built page, which the service serves as it is. */
function stageConsole(target: string): void {
  execFileSync(process.execPath, [join(root, 'packages/console/scripts/build.ts')], { stdio: ['ignore', 'ignore', 2] })
  cpSync(join(root, 'packages/console/dist'), join(target, 'dist'), { recursive: true })
}

/** The names of their files, where those have no version. A wheel keeps its own. */
const SERVED: Readonly<Record<string, string>> = { client: 'client.tgz', cli: 'sc.tgz' }

/** The packages that the service serves, in a folder beside its source. */
function stageServed(folder: string, target: string): void {
  mkdirSync(target, { recursive: true })
  const staging = join(folder, 'served')
  const tarballs = stagePackages(staging, Object.keys(SERVED))
  for (const { name, tarball } of tarballs) renameSync(tarball, join(target, SERVED[directoryOf(name)] ?? ''))
  const { file } = stageWheel(staging)
  renameSync(file, join(target, basename(file)))
  rmSync(staging, { recursive: true })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { tarball } = stageServer(resolve(process.argv[2] ?? join(root, '.staging/server')))
  process.stdout.write(`${tarball}\n`)
}
