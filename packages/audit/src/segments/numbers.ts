// A column of whole numbers as bytes: seven bits a byte, the lowest first. A byte from 128 is not the last one of its number.

/** The rows of a segment are as many as the numbers of each column. */
export const TOO_SHORT = 'a column of the segment is shorter than the others'

/** A whole number has 53 bits at most. */
const MOST_BYTES_OF_A_NUMBER = 8

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
  // By index: an iterator takes several times as long.
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

/** Whether the first numbers, or all, have one of these sums. */
export function reachOneSum(bytes: Uint8Array, wanted: ReadonlySet<number>): boolean {
  let [sum, scale] = [0, 1]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    sum += (byte % 128) * scale
    scale = byte < 128 ? 1 : scale * 128
    if (scale === 1 && wanted.has(sum)) return true
  }
  return false
}

/** A column to read from: each number is found in the bytes, unless all were read before. */
export class Numbers {
  readonly #bytes: Buffer
  #all: Float64Array | undefined

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  all(): Float64Array {
    this.#all ??= readNumbers(this.#bytes)
    return this.#all
  }

  /** @throws RangeError when there is none at this place. */
  at(place: number): number {
    const value = this.#all === undefined ? this.from(place, 1)[0] : this.#all[place]
    if (value === undefined) throw new RangeError(TOO_SHORT)
    return value
  }

  /**
   * The numbers from a place on.
   * @throws RangeError when there are fewer.
   */
  from(place: number, count: number): ArrayLike<number> {
    const found = this.#all?.subarray(place, place + count) ?? readNumbers(this.#bytesOf(place, count))
    if (found.length < count) throw new RangeError(TOO_SHORT)
    return found
  }

  /** The places of a number, in their order. */
  placesOf(value: number): number[] {
    const bytes = this.#bytes
    const wanted = writeNumbers([value])
    const places: number[] = []
    let [counted, place] = [0, 0]
    for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
      const isWhole = at === 0 || (bytes[at - 1] ?? 0) < 128
      if (!isWhole) continue
      for (; counted < at; counted++) if ((bytes[counted] ?? 0) < 128) place += 1
      places.push(place)
    }
    return places
  }

  #bytesOf(place: number, count: number): Buffer {
    const start = endOf(this.#bytes, 0, place)
    return this.#bytes.subarray(start, endOf(this.#bytes, start, count))
  }
}

/** Where the next `count` numbers end. */
function endOf(bytes: Buffer, start: number, count: number): number {
  let [at, left] = [start, count]
  for (; left > 0 && at < bytes.length; at++) if ((bytes[at] ?? 0) < 128) left -= 1
  return at
}
