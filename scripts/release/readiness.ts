// Whether the repository can be released as it stands: what is released must be a commit, in one version, with its changes told.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../stage-packages.ts'

const OWN = '@clinic-data/'
/** Files of a dirty tree that a fault names. */
const NAMED_FILES = 5

export interface Readiness {
  readonly version: string
  /** The changelog's section of the version, without its heading. */
  readonly notes: string
  readonly commit: string
  /** When it was committed, in Unix seconds. The same commit always gives the same bytes, so nothing asks the clock. */
  readonly committedAt: number
}

/** Reads what a release needs. @throws with every fault, a line each */
export function readinessOf(root: string): Readiness {
  const git = (...argv: string[]) => spawnSync('git', argv, { cwd: root, encoding: 'utf8' })
  const faults: string[] = []
  const [commit = '', committedAt = ''] = git('log', '-1', '--format=%H %ct').stdout.trim().split(' ')
  if (commit === '') faults.push('This folder is no git repository with a commit.')
  const changed = git('status', '--porcelain').stdout.split('\n').filter(Boolean)
  if (changed.length > 0) faults.push(`Files are not committed: ${namesOf(changed.map((line) => line.slice(3)))}.`)

  const { versions, references } = versionsOf(root)
  const [version = ''] = Object.values(versions)
  if (new Set(Object.values(versions)).size > 1) faults.push(`The packages' versions differ: ${pairs(versions)}.`)
  else if (Object.values(references).some((one) => one !== version)) {
    const wrong = Object.fromEntries(Object.entries(references).filter(([, one]) => one !== version))
    faults.push(`The packages have version ${version}, but it says otherwise in: ${pairs(wrong)}.`)
  }

  const sections = sectionsOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))
  const notes = sections.get(version) ?? ''
  if (notes === '') faults.push(`CHANGELOG.md has no section "## ${version}", or it is empty.`)
  if (sections.get('Unreleased')) {
    faults.push(`CHANGELOG.md has lines under "## Unreleased": move them to the section of version ${version}.`)
  }

  const tagged = git('rev-list', '-n', '1', `refs/tags/v${version}`, '--').stdout.trim()
  if (tagged !== '' && tagged !== commit) faults.push(`The tag v${version} is another commit, ${tagged.slice(0, 12)}.`)
  if (faults.length > 0) throw new Error(`The release was not made:\n${faults.map((fault) => `- ${fault}`).join('\n')}`)
  return { version, notes, commit, committedAt: Number(committedAt) }
}

/** The version of each package, and the versions of ours that manifests and the lock file name. */
function versionsOf(root: string) {
  const versions: Record<string, string> = {}
  const references: Record<string, string> = {}
  const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string }>
  }
  for (const file of globSync('packages/*/package.json', { cwd: root }).sort()) {
    const { name, version, dependencies = {} } = JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest
    versions[name] = version
    for (const [needed, wanted] of Object.entries(dependencies)) {
      if (needed.startsWith(OWN)) references[`${file} (${needed})`] = wanted
    }
    references[`package-lock.json (${name})`] = locked[file.replace('/package.json', '')]?.version ?? 'none'
  }
  return { versions, references }
}

/** The sections of a changelog by the first word of their headings. */
function sectionsOf(changelog: string): ReadonlyMap<string, string> {
  const [, ...sections] = changelog.split(/^## /m)
  return new Map(
    sections.map((section) => {
      const [heading = '', ...lines] = section.split('\n')
      return [heading.split(' ', 1).join(), lines.join('\n').trim()]
    }),
  )
}

const pairs = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

function namesOf(files: readonly string[]): string {
  const more = files.length - NAMED_FILES
  return files.slice(0, NAMED_FILES).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
