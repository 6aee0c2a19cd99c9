// What is too much for an agent's context goes to a file of the user's own, and one line says where.
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Sink } from './surroundings.ts'

/** An answer up to this size is printed: some 4,000 tokens. */
export const LARGE_BYTES = 16_000

export interface Counted {
  readonly items: number
  readonly next_cursor: string | null
}

/** Prints one line: the text itself, or where it is. */
export async function printSized(stdout: Sink, texts: AsyncIterable<string>, counted: Counted): Promise<void> {
  let held = ''
  let bytes = 0
  let large: { path: string; file: FileHandle } | null = null
  try {
    for await (const text of texts) {
      bytes += Buffer.byteLength(text)
      if (large === null) held += text
      else await large.file.writeFile(text)
      if (large === null && bytes > LARGE_BYTES) {
        large = await privateFile()
        await large.file.writeFile(held)
        held = ''
      }
    }
  } catch (error) {
    if (large !== null) await discard(large)
    throw error
  }
  if (large === null) return stdout.write(`${held}\n`)
  await large.file.close()
  const { items, next_cursor } = counted
  await stdout.write(`${JSON.stringify({ file: large.path, bytes, items, next_cursor })}\n`)
}

/** In a folder that nobody else can look into. */
async function privateFile(): Promise<{ path: string; file: FileHandle }> {
  const path = join(await mkdtemp(join(tmpdir(), 'sc-')), 'answer.json')
  return { path, file: await open(path, 'wx', 0o600) }
}

/** Half an answer is nobody's. */
async function discard({ path, file }: { path: string; file: FileHandle }): Promise<void> {
  await file.close()
  await rm(dirname(path), { recursive: true, force: true })
}
