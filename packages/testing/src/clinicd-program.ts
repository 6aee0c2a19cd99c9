// `clinicd` as a few files, for tests that start it: a process that loads its thousand modules one by one is busy three times as long
// before it serves. Made anew when a source has changed. What the program reads beside its source it still finds there.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

const root = join(import.meta.dirname, '../../..')
/** Below the dependencies, so that the program finds its own. */
const KEPT = join(root, 'node_modules/.cache/test-clinicd')
const SOURCE = join(root, 'packages/server/bin/clinicd.mjs')
const SOURCES = 'sources.json'
/** Those of a few branches. Each takes some 10 MB. A program that runs may load more of its files. */
const MOST_KEPT = 5

/** When each source was changed, and its size. */
type Sources = Readonly<Record<string, string>>

/** @returns the path of a program that is the same as `packages/server/bin/clinicd.mjs`. */
export async function clinicdProgram(): Promise<string> {
  const name = namesOfKept().find(isToday) ?? (await make())
  return join(KEPT, name, 'clinicd.mjs')
}

function isToday(name: string): boolean {
  const list = join(KEPT, name, SOURCES)
  // Another process may have removed an old one.
  if (!existsSync(list)) return false
  const sources: Sources = JSON.parse(readFileSync(list, 'utf8'))
  return Object.entries(sources).every(([file, state]) => stateOf(file) === state)
}

function stateOf(file: string): string | null {
  const stat = statSync(join(root, file), { throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.mtimeMs} ${stat.size}`
}

/** @returns its name. It gets it when it is complete: other processes may be making theirs. */
async function make(): Promise<string> {
  const name = randomBytes(8).toString('hex')
  const begun = join(KEPT, `${name}.begun`)
  const { metafile } = await build({
    entryPoints: [SOURCE],
    absWorkingDir: root,
    outdir: begun,
    outExtension: { '.js': '.mjs' },
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node24', metafile: true },
    // Packages of CommonJS ask for Node's own modules by it.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    plugins: [placesOfSources],
    logLevel: 'error',
  })
  const sources: Sources = Object.fromEntries(Object.keys(metafile.inputs).map((file) => [file, stateOf(file) ?? '']))
  writeFileSync(join(begun, SOURCES), JSON.stringify(sources))
  renameSync(begun, join(KEPT, name))
  for (const old of namesOfKept().slice(MOST_KEPT)) rmSync(join(KEPT, old), { recursive: true, force: true })
  return name
}

/** The newest first. */
function namesOfKept(): string[] {
  mkdirSync(KEPT, { recursive: true })
  const age = (name: string) => statSync(join(KEPT, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const names = readdirSync(KEPT).filter((name) => !name.endsWith('.begun'))
  return names.toSorted((a, b) => age(b) - age(a))
}

/** A module that asks where it is learns where its source is. */
const placesOfSources: Plugin = {
  name: 'places of sources',
  setup({ onLoad }) {
    onLoad({ filter: /\/packages\/[^/]+\/(src|bin)\/.*\.(ts|mjs)$/ }, async ({ path }) => {
      const places: Readonly<Record<string, string>> = {
        url: pathToFileURL(path).href,
        filename: path,
        dirname: dirname(path),
      }
      const text = await readFile(path, 'utf8')
      const contents = text.replaceAll(/\bimport\.meta\.(url|filename|dirname)\b/g, (_, of) =>
        JSON.stringify(places[of]),
      )
      return { contents, loader: 'ts' }
    })
  },
}
