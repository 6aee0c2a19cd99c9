// The columns of a segment as bytes. Values of one column lie together, because zstd finds what is alike in them.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

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

/** A whole number has 53 bits at most. */
const MOST_BYTES_OF_A_NUMBER = 8

/** Seven bits a byte, the lowest first. A byte from 128 is not the last one of its number. */
export function writeNumbers(values: ArrayLike<number>): Buffer {
  const bytes = Buffer.allocUnsafe(MOST_BYTES_OF_A_NUMBER * values.length)
  let end = 0
  for (let n = 0; n < values.length; n++) {
    let rest = values[n] ?? 0
    while (rest >= 128) {
      bytes[end++] = (rest % 128) + 128
      rest = Math.floor(rest / 128)
    }
    bytes[end++] = rest
  }
  return bytes.subarray(0, end)
}

/** @throws RangeError when the last number is cut. */
export function readNumbers(bytes: Uint8Array): Float64Array {
  // By index: this loop is most of the time of a search, and an iterator takes several times as long.
  const values = new Float64Array(bytes.length)
  let [count, value, scale] = [0, 0, 1]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte < 128) {
      values[count++] = value + byte * scale
      value = 0
      scale = 1
    } else {
      value += (byte - 128) * scale
      scale *= 128
    }
  }
  if (scale !== 1) throw new RangeError('a number is cut')
  return values.subarray(0, count)
}

/** Each number as its distance to the one before. Small distances take one byte, those below zero too. */
export function writeSteps(values: readonly number[]): Buffer {
  let before = 0
  return writeNumbers(
    values.map((value) => {
      const step = value - before
      before = value
      return step < 0 ? -2 * step - 1 : 2 * step
    }),
  )
}

export function readSteps(bytes: Uint8Array): Float64Array {
  const values = readNumbers(bytes)
  let value = 0
  for (let n = 0; n < values.length; n++) {
    const step = values[n] ?? 0
    const half = Math.floor(step / 2)
    value += half * 2 === step ? half : -half - 1
    values[n] = value
  }
  return values
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
