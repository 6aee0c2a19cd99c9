// Which files the linter must see: those that have changed since they passed. A file's faults follow from the file itself, the linter's
// settings and its version alone.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { filesOfTree } from './files-of-tree.ts'

const SETTINGS = 'biome.json'

export interface Unlinted {
  readonly files: readonly string[]
  /** To be called when they have passed. */
  keep(): void
}

/** @param kept the file that remembers what has passed. */
export function unlinted(root: string, kept: string): Unlinted {
  const rules = `${versionOfLinter()} ${readFileSync(join(root, SETTINGS), 'utf8')}`
  const sums = new Map(
    filesOfTree(root).map((file) => [file, sumOf(`${rules} ${file}`, readFileSync(join(root, file)))]),
  )
  const passed = passedSums(kept)
  return {
    files: [...sums].filter(([, sum]) => !passed.has(sum)).map(([file]) => file),
    keep() {
      mkdirSync(dirname(kept), { recursive: true })
      writeFileSync(kept, JSON.stringify([...sums.values()]))
    },
  }
}

const versionOfLinter = () => createRequire(import.meta.url)('@biomejs/biome/package.json').version as string

/** Settings may differ by a file's path, which is therefore a part of what is summed. */
function sumOf(about: string, content: Uint8Array): string {
  return createHash('sha256').update(about).update('\0').update(content).digest('base64')
}

function passedSums(kept: string): Set<string> {
  try {
    return new Set(JSON.parse(readFileSync(kept, 'utf8')) as string[])
  } catch {
    return new Set()
  }
}
