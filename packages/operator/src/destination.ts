// Where a command writes what it makes: into a new file, or to standard output for another program to read.
import { resolve } from 'node:path'
import { keepFile } from '@clinic-data/disk/kept-file'
import { requireNewFile } from './new-file.ts'
import { UsageError } from './usage-error.ts'

/** The name of standard output, in place of a file's. */
export const STREAM = '-'

/** Sentences about a new file name it so. */
const NEW = { backup: 'a backup', archive: 'an archive', export: 'an export' } as const
type Made = keyof typeof NEW

export interface Destination {
  readonly file: string
  /** Where the command tells of it. With the content on standard output, nothing else goes there. */
  readonly output: NodeJS.WriteStream
  /** A file is there whole or not at all. Who reads standard output must look at the exit code. */
  readonly write: (content: AsyncIterable<Uint8Array>) => Promise<void>
}

/**
 * @param line - the command, as it is led into a program.
 * @throws UsageError where nothing new can be written there, or nobody reads it.
 */
export function destinationOf(file: string, made: Made, line: string): Destination {
  if (file !== STREAM) return newFile(file, made)
  if (process.stdout.isTTY)
    throw new UsageError(
      `standard output is a terminal: lead the ${made} into a program, for example ${line} | age -r <recipient> > <file>`,
    )
  return { file, output: process.stderr, write: (content) => writeOut(made, content) }
}

/** @throws UsageError before anything is written. */
export function newFile(file: string, made: Made): Destination {
  requireNewFile(file, NEW[made])
  return { file, output: process.stdout, write: (content) => keepFile(resolve(file), content) }
}

/** Behind "Wrote". */
export function nameOf(file: string): string {
  return file === STREAM ? 'to standard output' : file
}

/** As fast as it is read. @throws Error when its reader has ended. */
async function writeOut(made: Made, content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of content)
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(chunk, (error) => (error ? reject(unread(made, error)) : resolve()))
    })
}

function unread(made: Made, cause: Error): Error {
  if ((cause as NodeJS.ErrnoException).code !== 'EPIPE') return cause
  return new Error(`the reader of standard output ended before the ${made} did: what it has is no ${made}`, { cause })
}
