// One entry of a tar archive, in the form of POSIX `ustar`: a file by default, for tests that make archives of their own.

/** Two empty blocks end an archive. */
export const TAR_END = Buffer.alloc(1024)

export function tarEntry(name: string, content: string, type = '0'): Buffer {
  const header = Buffer.alloc(512)
  const size = Buffer.byteLength(content)
  header.write(name, 0)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('        ', 148)
  header.write(type, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, Buffer.from(content), Buffer.alloc((512 - (size % 512)) % 512)])
}
