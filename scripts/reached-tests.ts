// The test files that a change can reach: by imports, and by the paths of files and folders that files name, such as a program to
// start or a document to read. Rules about the whole contract and the whole tree are always among them.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { filesOfTree } from './files-of-tree.ts'
import { importsOf, targetOf } from './imports.ts'

const root = dirname(import.meta.dirname)
const CODE = /\.(ts|tsx|mjs|js)$/
const NAMED = /['"`]((?:\.{0,2}\/)?[\w@.-]+(?:\/[\w@.-]+)*\/?)['"`]/g
const ALWAYS = /^test\/(rules\/.*|architecture\.test\.ts|mutants\.test\.ts)/

const git = (...argv: string[]) =>
  execFileSync('git', argv, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '')

/** Lists what was changed since a commit, with new files. A clean tree has changed by its last commit. */
export function changedFiles(since = 'HEAD'): string[] {
  const changed = [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]
  return changed.length > 0 || since !== 'HEAD' ? changed : git('diff', '--name-only', 'HEAD~1')
}

/** The given test files that a change of these files can reach, in the order given. */
export function reachedTests(tests: readonly string[], changed: readonly string[]): string[] {
  const files = filesOfTree(root)
  const users = new Map<string, string[]>()
  for (const file of files.filter((name) => CODE.test(name))) {
    for (const used of usedBy(file, files)) users.set(used, [...(users.get(used) ?? []), file])
  }
  const reached = new Set(changed)
  // A set also visits what is added meanwhile.
  for (const file of reached) for (const user of users.get(file) ?? []) reached.add(user)
  return tests.filter((file) => ALWAYS.test(file) || reached.has(file))
}

function usedBy(file: string, files: readonly string[]): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const imported = importsOf(file).flatMap((name) => targetOf(file, name) ?? [])
  const named = [...text.matchAll(NAMED)].flatMap(([, name = '']) => filesAt(file, name, files))
  return [...new Set([...imported, ...named])].filter((used) => used !== file)
}

/** The files of a path that a file names, from its own folder or from the root. Only a path with a slash or an ending counts. */
function filesAt(file: string, name: string, files: readonly string[]): string[] {
  if (!/[/.]/.test(name)) return []
  const places = [resolve(root, dirname(file), name), resolve(root, name)]
  return [...new Set(places)].flatMap((place) => {
    const path = relative(root, place)
    if (path === '' || path.startsWith('..') || !existsSync(place)) return []
    return statSync(place).isFile() ? [path] : files.filter((below) => below.startsWith(`${path}/`))
  })
}
