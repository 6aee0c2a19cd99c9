// Builds the console's page, unless it is built from these very sources: `node packages/console/scripts/build.ts`. With `--starting`
// a service begins also where it cannot be built. The listener then says how to build it.
import { hash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const folder = join(import.meta.dirname, '..')
const built = join(folder, 'dist')
const stamp = join(built, 'sources.txt')
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
    return readFileSync(stamp, 'utf8')
  } catch {
    return null
  }
}

async function build(): Promise<string> {
  // An install without it serves a console that was built elsewhere.
  const { build } = await import('vite')
  await build({ configFile: join(folder, 'vite.config.ts'), logLevel: 'error' })
  const sizes = globSync('assets/*.{js,css,svg}', { cwd: built }).map((file) => {
    const compressed = gzipSync(readFileSync(join(built, file)), { level: 9 })
    writeFileSync(join(built, `${file}.gz`), compressed)
    return { isScript: file.endsWith('.js'), bytes: compressed.length }
  })
  const script = sizes.filter(({ isScript }) => isScript).reduce((sum, { bytes }) => sum + bytes, 0)
  if (script > MOST_SCRIPT_BYTES)
    throw new Error(`the page's scripts take ${script} bytes compressed, and may take ${MOST_SCRIPT_BYTES}`)
  return `${Math.round(script / 1000)} kB of scripts`
}

const sources = sourcesHash()
if (stampOf() !== sources) {
  const startedAt = performance.now()
  process.stdout.write('Building the console …')
  try {
    const size = await build()
    writeFileSync(stamp, sources)
    process.stdout.write(` ${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${size}\n`)
  } catch (error) {
    process.stdout.write(` not built: ${(error as Error).message}\n`)
    if (!process.argv.includes('--starting')) process.exitCode = 1
  }
}
