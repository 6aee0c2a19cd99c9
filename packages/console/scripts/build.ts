// Builds the console's page, unless it is built from these very sources: `node packages/console/scripts/build.ts`. With `--starting`
// a service begins also where it cannot be built. The listener then says how to build it.
import { hash } from 'node:crypto'
import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const folder = join(import.meta.dirname, '..')
const built = join(folder, 'dist')
const STAMP = 'sources.txt'
/** What the first page needs. A page that opens slowly is not used. */
const MOST_SCRIPT_BYTES = 250_000

/** The page's own files, what it takes from the contract, and the versions of its libraries. */
function sourcesHash(): string {
  const own = globSync(['index.html', 'vite.config.ts', 'scripts/*', 'src/**/*.*'], { cwd: folder })
  const others = ['../contract/src/scopes.ts', '../../package-lock.json']
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
}

/** The files that the first page needs, by Vite's account of what imports what. */
function firstScripts(manifest: Readonly<Record<string, Chunk>>): Set<string> {
  const found = new Set<string>()
  const add = (name: string) => {
    const { file, imports = [] } = manifest[name] ?? { file: '' }
    if (found.has(file)) return
    found.add(file)
    imports.forEach(add)
  }
  add('index.html')
  return found
}

/** Beside the folder that a service may be reading. The finished one then takes its place. */
async function build(): Promise<string> {
  // An install without it serves a console that was built elsewhere.
  const { build } = await import('vite')
  const outDir = `${built}.${process.pid}`
  try {
    await build({ configFile: join(folder, 'vite.config.ts'), logLevel: 'error', build: { outDir } })
    const first = firstScripts(JSON.parse(readFileSync(join(outDir, '.vite/manifest.json'), 'utf8')))
    let script = 0
    for (const file of globSync('assets/*.{js,css,svg}', { cwd: outDir })) {
      const compressed = gzipSync(readFileSync(join(outDir, file)), { level: 9 })
      writeFileSync(join(outDir, `${file}.gz`), compressed)
      if (first.has(file)) script += compressed.length
    }
    if (script > MOST_SCRIPT_BYTES)
      throw new Error(`the first page's scripts take ${script} bytes compressed, and may take ${MOST_SCRIPT_BYTES}`)
    writeFileSync(join(outDir, STAMP), sources)
    rmSync(built, { recursive: true, force: true })
    renameSync(outDir, built)
    return `${Math.round(script / 1000)} kB of scripts for the first page`
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
