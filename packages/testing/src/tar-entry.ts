// One entry of a tar archive: a file by default, for tests that make archives of their own.
import { tarHeader, tarPadding } from '@clinic-data/disk/tar'

export function tarEntry(name: string, content: string, type = '0'): Buffer {
  const size = Buffer.byteLength(content)
  return Buffer.concat([tarHeader(name, size, { type }), Buffer.from(content), tarPadding(size)])
}
