// The client's declarations, against which others compile. Those of its code are golden files, which `npm run golden` writes with
// the compiler: the service packs the client where no compiler is installed. Those that the contract writes are types already.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const packageFolder = dirname(import.meta.dirname)
const root = dirname(dirname(packageFolder))
export const goldenFolder = join(packageFolder, 'golden')
const ENTRY = 'client.d.ts'
/** Modules that hold nothing but types. */
const TYPES = ['generated/methods', 'generated/resources']

/** The declarations that the compiler writes of the code, by file name: all that the entry reaches. */
export function compiledDeclarations(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'declarations-'))
  try {
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        noCheck: true,
        rootDir: join(root, 'packages'),
        outDir: folder,
        typeRoots: [join(root, 'node_modules/@types')],
      },
      include: [join(packageFolder, 'src/client.ts')],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { stdio: ['ignore', 'inherit', 'inherit'] })
    return reachable(join(folder, 'client/src'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function reachable(folder: string): Record<string, string> {
  const found: Record<string, string> = {}
  const visit = (name: string): void => {
    if (name in found || TYPES.includes(name.replace(/\.d\.ts$/, ''))) return
    const text = readFileSync(join(folder, name), 'utf8')
    found[name] = withPublishedImports(text)
    for (const [, path = ''] of text.matchAll(/from '\.\/([^']+)\.ts'/g)) visit(`${path}.d.ts`)
  }
  visit(ENTRY)
  return found
}

/** The compiler does not rewrite import specifiers in declarations. */
function withPublishedImports(text: string): string {
  return text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'")
}

/** Writes all declarations into a folder. */
export function writeDeclarations(folder: string): void {
  for (const name of globSync('*.d.ts', { cwd: goldenFolder })) cpSync(join(goldenFolder, name), join(folder, name))
  for (const name of TYPES) {
    const target = join(folder, `${name}.d.ts`)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, withPublishedImports(readFileSync(join(packageFolder, 'src', `${name}.ts`), 'utf8')))
  }
}
