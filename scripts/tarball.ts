// Packs a folder as npm packs one, but so that the same files are always the same bytes: on every machine, with every version of
// npm and Node.js. So nothing is compressed: what a compressor writes changes with its version. Lock files hold the hash of the
// bytes, and must not break when the service moves to another machine.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { crc32 } from 'node:zlib'
import { TAR_END, tarHeader, tarPadding } from '@clinic-data/disk/tar'

/** The time that npm gives every file, in Unix seconds. */
const MODIFIED = 499_162_500
/** A block of gzip that is stored as it is holds at most this. */
const MAX_STORED = 65_535

/** @returns the bytes of a `.tgz` in which the folder is `package`. */
export function tarball(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const parts = files.flatMap((file) => {
    const content = readFileSync(file)
    const name = `package/${relative(folder, file).split(sep).join('/')}`
    const isProgram = (statSync(file).mode & 0o100) !== 0
    const header = tarHeader(name, content.length, { mode: isProgram ? 0o755 : 0o644, modified: MODIFIED })
    return [header, content, tarPadding(content.length)]
  })
  return gzip(Buffer.concat([...parts, TAR_END]))
}

/** The gzip form of bytes that stay as they are (RFC 1951, section 3.2.4, and RFC 1952). */
function gzip(bytes: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])]
  for (let at = 0; at < bytes.length; at += MAX_STORED) {
    const stored = bytes.subarray(at, at + MAX_STORED)
    const head = Buffer.alloc(5)
    head.writeUInt8(at + MAX_STORED >= bytes.length ? 1 : 0)
    head.writeUInt16LE(stored.length, 1)
    head.writeUInt16LE(MAX_STORED - stored.length, 3)
    parts.push(head, stored)
  }
  const tail = Buffer.alloc(8)
  tail.writeUInt32LE(crc32(bytes))
  tail.writeUInt32LE(bytes.length, 4)
  return Buffer.concat([...parts, tail])
}
