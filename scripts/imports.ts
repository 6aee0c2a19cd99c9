// Which of the repository's files a file imports.
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const root = dirname(import.meta.dirname)
const IMPORT = /^(?:import|export)\b[^;]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm

const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

/** The names in a file's import statements, as they stand there. */
export function importsOf(file: string, pattern = IMPORT): string[] {
  return [...textOf(file).matchAll(pattern)].map(([, ...names]) => names.find((name) => name !== undefined) ?? '')
}

/** The file that an import names, from the root, or null where it is not ours. */
export function targetOf(file: string, name: string): string | null {
  if (name.startsWith('.')) return relative(root, resolve(root, dirname(file), name))
  const [scope, name_of_package = '', ...path] = name.split('/')
  if (scope !== '@clinic-data') return null
  const { exports } = JSON.parse(textOf(`packages/${name_of_package}/package.json`))
  const target = exports[['.', ...path].join('/')] ?? exports['./*']?.replace('*', path.join('/'))
  return target ? join('packages', name_of_package, target) : null
}
