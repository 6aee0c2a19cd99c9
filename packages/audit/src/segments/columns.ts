// The columns of a segment as bytes. Values of one column lie together, because zstd finds what is alike in them.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { readNumbers, writeNumbers } from './numbers.ts'

/** The columns in the order in which they lie, each with its form. The rows' words and names are places in `words` and `names`. */
const FORMS = {
  id: 'steps',
  stored_us: 'steps',
  at_ms: 'steps',
  key_id: 'numbers',
  operation: 'numbers',
  surface: 'numbers',
  address: 'numbers',
  count: 'numbers',
  status: 'numbers',
  duration_ms: 'numbers',
  request_id: 'texts',
  words: 'texts',
  names: 'texts',
  named_count: 'numbers',
  named: 'numbers',
} as const

export type Column = keyof typeof FORMS
export const COLUMNS = Object.keys(FORMS) as Column[]

type Form = (typeof FORMS)[Column]
export type ColumnOf<F extends Form> = { [C in Column]: (typeof FORMS)[C] extends F ? C : never }[Column]
export const NUMBER_COLUMNS = COLUMNS.filter((column): column is ColumnOf<'numbers'> => FORMS[column] === 'numbers')

/** The texts that few rows differ in. */
export type Word = 'key_id' | 'operation' | 'surface' | 'address'

/** Higher levels take several times as long and save a hundredth. */
const LEVEL = 6

/** No column of a segment is longer when it is unpacked: ten thousand rows, each with some hundred ids of its own. */
const MOST_BYTES = 512 * 1024 * 1024

export function pack(bytes: Uint8Array): Buffer {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } })
}

/** @throws Error when these are not the bytes of `pack`. */
export function unpack(bytes: Uint8Array): Buffer {
  return zstdDecompressSync(bytes, { maxOutputLength: MOST_BYTES })
}

/** Parts one behind the other, with their lengths before them. */
export function writeParts(parts: readonly Uint8Array[]): Buffer {
  const lengths = writeNumbers(parts.map(({ length }) => length))
  return Buffer.concat([writeNumbers([lengths.length]), lengths, ...parts])
}

/** @throws RangeError when these are not the bytes of `writeParts`. */
export function readParts(bytes: Buffer): Buffer[] {
  const beginning = bytes.findIndex((byte) => byte < 128) + 1
  const [length = 0] = readNumbers(bytes.subarray(0, beginning))
  let at = beginning + length
  if (beginning === 0 || at > bytes.length) throw new RangeError('the lengths of the parts are cut')
  const parts: Buffer[] = []
  for (const length of readNumbers(bytes.subarray(beginning, at))) {
    parts.push(bytes.subarray(at, at + length))
    at += length
  }
  if (at !== bytes.length) throw new RangeError('the parts are cut')
  return parts
}
