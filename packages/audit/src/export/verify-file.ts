// Verifies the file of an exported audit log. It needs no database, no settings and no keys, and holds one line at a time.
import { ExportCheck, type FileVerdict, type OnMatch } from './check.ts'
import { LineFault, linesOf } from './lines.ts'

/** @param expected a head that was kept elsewhere: the chain of the file must hold it. */
export async function verifyFile(
  chunks: AsyncIterable<Uint8Array>,
  expected: string | null,
  onMatch?: OnMatch,
): Promise<FileVerdict> {
  const check = new ExportCheck(expected, onMatch)
  try {
    for await (const line of linesOf(chunks)) if (!check.take(line)) break
  } catch (error) {
    if (!(error instanceof LineFault)) throw error
    check.failNext(error.message)
  }
  return check.end()
}
