// What the verification says of the text of an exported audit log.
import { verifyFile } from '@clinic-data/audit/export/verify-file'

export function verified(text: string | Uint8Array, expected: string | null = null) {
  async function* chunks() {
    // Whatever the pieces in which a file is read.
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += 997) yield bytes.subarray(at, at + 997)
  }
  return verifyFile(chunks(), expected)
}
