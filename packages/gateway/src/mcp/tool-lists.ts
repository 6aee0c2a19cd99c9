// The bytes of `tools/list`, which nearly every session asks for: made once for the tools that a key may see. A whole answer is kept too,
// plain and compressed, because clients number their messages from zero or one: to compress it takes three times as long as the rest.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Encoding } from '../answers/encoding.ts'

/** More sets of scopes than an installation's keys have. The longest list takes 27 kB, and so does an answer. */
const MOST_LISTS = 100
const MOST_ANSWERS = 100
/** The id behind the list of a kept answer: a client can have any other in any number. */
const USUAL_END = /^\d\}/

const COMPRESS = {
  // The best quality takes a hundred times as long for two hundredths of the bytes.
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
} as const

export interface PlainAnswer {
  readonly bytes: Buffer
  /** How they are compressed. */
  readonly encoding: Encoding
}

export interface ListWanted {
  /** Names the list. */
  readonly name: string
  /** Makes everything before the message's id. */
  begin(): string
  /** The id, and whatever is behind it. */
  readonly end: string
  readonly encoding: Encoding
}

export function toolLists() {
  const lists = new Map<string, Buffer>()
  const answers = new Map<string, Buffer>()

  function plain({ name, begin, end }: ListWanted): Buffer {
    const list = lists.get(name) ?? kept(lists, MOST_LISTS, name, Buffer.from(begin()))
    return Buffer.concat([list, Buffer.from(end)])
  }

  return async (wanted: ListWanted): Promise<PlainAnswer> => {
    const { name, end, encoding } = wanted
    // The gateway compresses any other answer on its way out.
    if (!USUAL_END.test(end)) return { bytes: plain(wanted), encoding: 'identity' }
    const key = [encoding, end, name].join()
    const known = answers.get(key)
    if (known !== undefined) return { bytes: known, encoding }
    const bytes = encoding === 'identity' ? plain(wanted) : await COMPRESS[encoding](plain(wanted))
    return { bytes: kept(answers, MOST_ANSWERS, key, bytes), encoding }
  }
}

function kept(map: Map<string, Buffer>, most: number, key: string, bytes: Buffer): Buffer {
  if (map.size >= most) map.clear()
  map.set(key, bytes)
  return bytes
}
