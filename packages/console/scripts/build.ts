// Builds the console's page, unless it is built from these very sources: `node packages/console/scripts/build.ts`. With `--starting`
// a service begins also where it cannot be built. The listener then says how to build it (docs/decisions/0053).
import { hash } from 'node:crypto'
import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const folder = join(import.meta.dirname, '..')
const built = join(folder, 'dist')
const STAMP = 'sources.txt'
/** By gzip, which all browsers take, with styles and the words of one language. A page that opens slowly is not used. */
const MOST_BYTES = { 'signing in': 160_000, 'the first page': 225_000 }
/** The first page behind the sign-in needs these. */
const FIRST_PAGE = ['src/shell/shell.tsx', 'src/pages/home.tsx']
/** The language with the most bytes. */
const WORDS = '../console-words/src/he.ts'

/** The page's own files, all of the packages that it is built from, and the versions of its libraries. */
function sourcesHash(): string {
  const own = globSync(['index.html', 'vite.config.ts', 'scripts/*', 'src/**/*.*'], { cwd: folder })
  const others = [
    ...globSync('../{contract,console-contract,console-words,console-parts}/src/**/*.*', { cwd: folder }),
    '../../package-lock.json',
  ]
  return hash(
    'sha256',
    [...own, ...others]
      .sort()
      .map((file) => `${file}\n${readFileSync(join(folder, file), 'utf8')}`)
      .join('\n'),
  )
}

function stampOf(): string | null {
  try {
    return readFileSync(join(built, STAMP), 'utf8')
  } catch {
    return null
  }
}

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

type Manifest = Readonly<Record<string, Chunk>>

/** All files that these need, by Vite's account of what imports what. */
function filesOf(manifest: Manifest, names: readonly string[]): Set<string> {
  const found = new Set<string>()
  const add = (name: string) => {
    const { file, imports = [], css = [] } = manifest[name] ?? fail(`the console has no ${name}`)
    if (found.has(file)) return
    for (const one of [file, ...css]) found.add(one)
    imports.forEach(add)
  }
  names.forEach(add)
  return found
}

function fail(message: string): never {
  throw new Error(message)
}

/** @throws Error when a component's styles are missing in `src/mantine.css`: Mantine names each class by a hash of its own. */
function requireStyles(outDir: string): void {
  const textOf = (pattern: string) =>
    globSync(pattern, { cwd: outDir }).map((file) => readFileSync(join(outDir, file), 'utf8'))
  const classesIn = (texts: readonly string[]) =>
    new Set(texts.flatMap((text) => text.match(/\bm_[0-9a-f]{6,8}\b/g) ?? []))
  const styled = classesIn(textOf('assets/*.css'))
  const known = classesIn([readFileSync(fileURLToPath(import.meta.resolve('@mantine/core/styles.css')), 'utf8')])
  const bare = [...classesIn(textOf('assets/*.js'))].filter((name) => known.has(name) && !styled.has(name))
  if (bare.length > 0)
    fail(`src/mantine.css lacks the styles of ${bare.join(', ')}: look for them in @mantine/core/styles`)
}

/** @throws Error when a page needs too many bytes. */
function requireSizes(manifest: Manifest, sizes: ReadonlyMap<string, number>): string {
  const entry = ['index.html', WORDS]
  const files = { 'signing in': entry, 'the first page': [...entry, ...FIRST_PAGE] }
  const lines = Object.entries(MOST_BYTES).map(([page, most]) => {
    const needed = [...filesOf(manifest, files[page as keyof typeof files])]
    const bytes = needed.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0)
    if (bytes > most) fail(`${page} takes ${bytes} bytes compressed, and may take ${most}`)
    return `${Math.round(bytes / 1000)} kB for ${page}`
  })
  return lines.join(', ')
}

/** Beside the folder that a service may be reading. The finished one then takes its place. */
async function build(): Promise<string> {
  // An install without it serves a console that was built elsewhere.
  const { build } = await import('vite')
  const outDir = `${built}.${process.pid}`
  try {
    await build({ configFile: join(folder, 'vite.config.ts'), logLevel: 'error', build: { outDir } })
    requireStyles(outDir)
    const sizes = new Map<string, number>()
    for (const file of globSync('assets/*.{js,css,svg}', { cwd: outDir })) {
      const plain = readFileSync(join(outDir, file))
      const gzip = gzipSync(plain, { level: 9 })
      writeFileSync(join(outDir, `${file}.gz`), gzip)
      writeFileSync(join(outDir, `${file}.br`), brotliCompressSync(plain))
      sizes.set(file, gzip.length)
    }
    const sizeReport = requireSizes(JSON.parse(readFileSync(join(outDir, '.vite/manifest.json'), 'utf8')), sizes)
    writeFileSync(join(outDir, STAMP), sources)
    rmSync(built, { recursive: true, force: true })
    renameSync(outDir, built)
    return sizeReport
  } finally {
    rmSync(outDir, { recursive: true, force: true })
  }
}

const sources = sourcesHash()
if (stampOf() !== sources) {
  const startedAt = performance.now()
  process.stdout.write('Building the console …')
  try {
    const size = await build()
    process.stdout.write(` ${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${size}\n`)
  } catch (error) {
    process.stdout.write(` not built: ${(error as Error).message}\n`)
    if (!process.argv.includes('--starting')) process.exitCode = 1
  }
}
