// A repository of its own with this one's files, to release from: every file is committed, the packages are those installed here.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesOfTree } from '../scripts/files-of-tree.ts'

const root = dirname(import.meta.dirname)
const ADDRESS = ['-c', 'user.name=Test', '-c', 'user.email=test@clinic.example']
/** A time of the commit, so that two clones have the same one. */
const COMMITTED = '2026-01-02T03:04:05Z'

export class ReleaseClone {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
    for (const file of filesOfTree(root)) cpSync(join(root, file), join(folder, file))
    this.#git('init', '--quiet', '--initial-branch=main')
    linkPackages(join(root, 'node_modules'), join(folder, 'node_modules'))
    linkPackages(join(root, 'packages/server/node_modules'), join(folder, 'packages/server/node_modules'))
  }

  edit(file: string, change: (text: string) => string): void {
    const path = join(this.folder, file)
    writeFileSync(path, change(readFileSync(path, 'utf8')))
  }

  /** Gives every package a version, as CONTRIBUTING.md says, and the changelog these notes about it. */
  prepare(version: string, notes: string): void {
    for (const file of globSync('packages/*/package.json', { cwd: this.folder })) {
      this.edit(file, (text) => text.replaceAll(/("version"|"@clinic-data\/[a-z-]+"): "[\d.]+"/g, `$1: "${version}"`))
    }
    this.edit('package-lock.json', (text) => {
      const lock = JSON.parse(text) as { packages: Record<string, { version: string }> }
      for (const [path, entry] of Object.entries(lock.packages)) {
        if (/^packages\/[a-z-]+$/.test(path)) entry.version = version
      }
      return `${JSON.stringify(lock, null, 2)}\n`
    })
    this.edit('CHANGELOG.md', (text) => {
      // Just after a release nothing is unreleased.
      const [opening, ...former] = text.split(/^(?=## (?!Unreleased))/m)
      const [title] = String(opening).split('## Unreleased')
      return [title, '## Unreleased\n\n', `## ${version}\n\n${notes}\n\n`, ...former].join('')
    })
  }

  commit(): void {
    this.#git('add', '--all')
    this.#git(...ADDRESS, 'commit', '--quiet', '--message=All')
  }

  tag(name: string): void {
    this.#git(...ADDRESS, 'tag', name)
  }

  /** @param path - programs that are found before those of this machine */
  release(argv: readonly string[], path = '') {
    const program = join(this.folder, 'scripts/release.ts')
    const env = { ...process.env, PATH: `${path}:${process.env.PATH}` }
    return spawnSync(process.execPath, ['--no-warnings', program, ...argv], { cwd: this.folder, encoding: 'utf8', env })
  }

  #git(...argv: string[]): void {
    const env = { ...process.env, GIT_AUTHOR_DATE: COMMITTED, GIT_COMMITTER_DATE: COMMITTED }
    execFileSync('git', argv, { cwd: this.folder, env })
  }
}

/** Links each installed package. Ours are the clone's own. */
function linkPackages(from: string, to: string): void {
  if (!existsSync(from)) return
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from).filter((entry) => entry !== '@clinic-data'))
    symlinkSync(join(from, name), join(to, name))
  const own = join(from, '@clinic-data')
  if (!existsSync(own)) return
  mkdirSync(join(to, '@clinic-data'))
  for (const name of readdirSync(own)) symlinkSync(join('../../packages', name), join(to, '@clinic-data', name))
}
