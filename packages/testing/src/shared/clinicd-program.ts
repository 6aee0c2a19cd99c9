// `clinicd` as a few files, for tests that start it: a process that loads its thousand modules one by one is busy three times as long
// before it serves. Made anew when a source has changed. What the program reads beside its source it still finds there.
import { hash, randomBytes } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { keepFolder } from '../run/kept-folder.ts'

const root = join(import.meta.dirname, '../../../..')
/** Below the dependencies, so that the program finds its own. */
const kept = join(root, 'node_modules/.cache/test-clinicd')

/** Those of a few branches. Each takes some 10 MB. A program that runs may load more of its files. */
const MOST_KEPT = 5

let program: Promise<string> | undefined

/** @returns the path of a program that is the same as `packages/server/bin/clinicd.mjs`. A process of tests asks for the sources once. */
export function clinicdProgram(): Promise<string> {
  program ??= find()
  return program
}

async function find(): Promise<string> {
  const folder = join(kept, nameOfProgram())
  if (!existsSync(folder)) await make(folder)
  return join(folder, 'clinicd.mjs')
}

/** Whatever the program follows from, this file among it, and where its source lies. */
function nameOfProgram(): string {
  const files = globSync(['package-lock.json', 'packages/*/package.json', 'packages/*/{bin,src}/**/*.{ts,mjs}'], {
    cwd: root,
  })
  const contents = files.sort().map((file) => [file, readFileSync(join(root, file), 'utf8')])
  return hash('sha256', JSON.stringify([root, contents])).slice(0, 16)
}

async function make(folder: string): Promise<void> {
  const begun = `${folder}.${randomBytes(4).toString('hex')}`
  await bundle(root, begun)
  keepFolder(begun, folder, MOST_KEPT)
}

/** Makes `clinicd.mjs` and its parts. @param tree - a version of this repository. @param outdir - finds the same dependencies. */
export async function bundle(tree: string, outdir: string): Promise<void> {
  await build({
    entryPoints: [join(tree, 'packages/server/bin/clinicd.mjs')],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Packages of CommonJS ask for Node's own modules by it. Some import `createRequire` themselves.
    banner: { js: "import { createRequire as bundled } from 'node:module'; const require = bundled(import.meta.url);" },
    plugins: [placesOfSources],
    logLevel: 'error',
  })
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
