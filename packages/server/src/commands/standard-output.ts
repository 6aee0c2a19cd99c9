// What a command writes to standard output instead of into a file, for another program to read.
import { UsageError } from '../usage-error.ts'

/** The name of standard output, in place of a file's. */
export const STREAM = '-'

/**
 * @param what - "the backup".
 * @param line - how it is led into a program.
 * @throws UsageError where nobody reads it.
 */
export function requireReader(what: string, line: string): void {
  if (process.stdout.isTTY)
    throw new UsageError(`standard output is a terminal: lead ${what} into a program, for example ${line}`)
}

/**
 * As fast as it is read.
 * @param what - "backup".
 * @throws Error when its reader has ended.
 */
export async function writeOut(what: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of content)
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(chunk, (error) => (error ? reject(unread(what, error)) : resolve()))
    })
}

function unread(what: string, cause: Error): Error {
  if ((cause as NodeJS.ErrnoException).code !== 'EPIPE') return cause
  return new Error(`the reader of standard output ended before the ${what} did: what it has is no ${what}`, { cause })
}
