// Stages the packages for publishing: every package that is not private, compiled or bundled, with its own manifest, and packed.
// `npm run stage` writes them to `.staging`. A person then runs `npm publish .staging/<package>.tgz`. The service stages the ones that
// it serves: those are bundled, which needs no compiler.
//
//   node scripts/stage-packages.ts [folder [package …]]
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { tarball } from './tarball.ts'

const root = dirname(import.meta.dirname)

export interface Manifest {
  name: string
  version: string
  private?: boolean
  exports: Record<string, string>
  bin?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  [other: string]: unknown
}

/** A packed package. */
export interface Staged {
  readonly name: string
  readonly version: string
  /** The unpacked content of the package. */
  readonly folder: string
  readonly tarball: string
}

/** Stages the published packages, or these, into a folder. Empties the folder first. */
export function stagePackages(folder: string, only: readonly string[] = []): readonly Staged[] {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const published = publishedPackages().filter(({ directory }) => only.length === 0 || only.includes(directory))
  const compiled = published.map(({ directory }) => directory).filter((directory) => !isBundled(directory))
  if (compiled.length > 0) compile(compiled, folder)
  return published.map(({ directory, manifest }) => {
    const target = join(folder, directory)
    mkdirSync(target)
    if (isBundled(directory)) bundle(directory, target)
    else renameSync(join(folder, 'compiled', directory, 'src'), join(target, 'dist'))
    writeFileSync(
      join(target, 'package.json'),
      `${JSON.stringify(publishedManifest(directory, manifest, target), null, 2)}\n`,
    )
    copyBeside(directory, manifest, target)
    return { name: manifest.name, version: manifest.version, folder: target, tarball: pack(manifest, target, folder) }
  })
}

/** The folder of the client for Python, which no other package needs. */
const PYTHON = 'python'

/** Packs the client for Python into a folder that exists. */
export function stageWheel(folder: string): { name: string; version: string; file: string } {
  const script = join(root, 'packages', PYTHON, 'scripts/wheel.ts')
  const printed = execFileSync(process.execPath, [script, folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [name = '', version = '', file = ''] = printed.trim().split('\t')
  return { name, version, file }
}

function publishedPackages(): readonly { directory: string; manifest: Manifest }[] {
  return globSync('packages/*/package.json', { cwd: root })
    .sort()
    .map((file) => ({
      directory: file.split('/')[1] ?? '',
      manifest: JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest,
    }))
    .filter(({ manifest }) => !manifest.private)
}

/** Compiles to JavaScript and declarations, all in one run, because one package's types use another's. */
function compile(directories: readonly string[], folder: string): void {
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      // The newest syntax that Node.js 20 runs.
      target: 'es2023',
      rootDir: join(root, 'packages'),
      outDir: join(folder, 'compiled'),
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: directories.map((directory) => join(root, 'packages', directory, 'src')),
  }
  const file = join(folder, 'tsconfig.json')
  writeFileSync(file, JSON.stringify(config))
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', file], { stdio: ['ignore', 'inherit', 'inherit'] })
  // The compiler does not rewrite import specifiers in declarations.
  for (const declaration of globSync('compiled/**/*.d.ts', { cwd: folder })) {
    const path = join(folder, declaration)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/((?:from |import\()['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'))
  }
}

/** Whether the package is one file that brings all its dependencies. */
function isBundled(directory: string): boolean {
  return existsSync(join(root, 'packages', directory, 'scripts/bundle.ts'))
}

/** Bundles a package, so that it needs no other one. */
function bundle(directory: string, target: string): void {
  const script = join(root, 'packages', directory, 'scripts/bundle.ts')
  execFileSync(process.execPath, [script, join(target, 'dist')], { stdio: ['ignore', 'inherit', 'inherit'] })
}

/** Removes the fields that only the repository needs, and points paths at the compiled files. */
function publishedManifest(directory: string, { devDependencies: _, ...manifest }: Manifest, target: string): object {
  const { exports, bin, dependencies = {}, ...kept } = manifest
  if (isBundled(directory)) {
    const main = publishedExport(exports['.'] ?? '')
    if (!bin) return { ...kept, sideEffects: false, exports: { '.': main }, files: ['dist'] }
    const [command = ''] = Object.keys(bin)
    const [program = ''] = globSync(`dist/${command}.{js,cjs,mjs}`, { cwd: target })
    return { ...kept, bin: { [command]: program }, files: ['dist'] }
  }
  return {
    ...kept,
    sideEffects: false,
    exports: Object.fromEntries(Object.entries(exports).map(([name, path]) => [name, publishedExport(path)])),
    ...(bin && { bin }),
    files: ['dist', ...(bin ? ['bin'] : []), ...dataFiles(exports)],
    dependencies,
  }
}

function publishedExport(path: string): string | { types: string; default: string } {
  const source = /^\.\/src\/(.+)\.ts$/.exec(path)?.[1]
  return source === undefined ? path : { types: `./dist/${source}.d.ts`, default: `./dist/${source}.js` }
}

/** Files that are exported unchanged. */
function dataFiles(exports: Record<string, string>): string[] {
  return Object.values(exports)
    .filter((path) => !path.startsWith('./src/'))
    .map((path) => path.slice('./'.length))
}

function copyBeside(directory: string, { exports, bin }: Manifest, target: string): void {
  for (const file of ['LICENSE', 'CHANGELOG.md']) cpSync(join(root, file), join(target, file))
  if (bin && !isBundled(directory)) for (const file of Object.values(bin)) copyStarter(directory, file, target)
  for (const file of ['README.md', ...(isBundled(directory) ? [] : dataFiles(exports))]) {
    const source = join(root, 'packages', directory, file)
    if (existsSync(source)) cpSync(source, join(target, file))
  }
}

/** Copies a program's starter, which then loads the compiled file. */
function copyStarter(directory: string, file: string, target: string): void {
  const text = readFileSync(join(root, 'packages', directory, file), 'utf8')
  mkdirSync(dirname(join(target, file)), { recursive: true })
  writeFileSync(join(target, file), text.replaceAll(/'\.\.\/src\/(.+)\.ts'/g, "'../dist/$1.js'"), { mode: 0o755 })
}

/** @returns the file, with the name that npm would give it. */
function pack({ name, version }: Manifest, target: string, folder: string): string {
  const file = join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  writeFileSync(file, tarball(target))
  return file
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder = join(root, '.staging'), ...only] = process.argv.slice(2)
  const say = (name: string, version: string, file: string) => process.stdout.write(`${name}\t${version}\t${file}\n`)
  for (const { name, version, tarball } of stagePackages(resolve(folder), only)) say(name, version, tarball)
  if (only.length === 0 || only.includes(PYTHON)) {
    const { name, version, file } = stageWheel(resolve(folder))
    say(name, version, file)
  }
}
