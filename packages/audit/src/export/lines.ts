// The lines of a file that anybody may have written: each is whole, of a bounded length, and UTF-8.

/** A row with all patients of the largest page, each id as long as ids may be, is a tenth of it. Limits the memory. */
const MOST_BYTES = 32 * 1024 * 1024
const LINE_FEED = 10

/** A line that could not be read. */
export class LineFault extends Error {}

/** Without the line feeds. @throws LineFault */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>, mostBytes = MOST_BYTES): AsyncGenerator<string> {
  // The mark of UTF-8 is a part of the line: what is compared must be what is there.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let parts: Uint8Array[] = []
  let bytes = 0
  const keep = (part: Uint8Array) => {
    parts.push(part)
    bytes += part.length
    if (bytes > mostBytes) throw new LineFault(`it is longer than ${mostBytes} bytes, as no line of an export is`)
  }
  for await (const chunk of chunks) {
    let begin = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, begin)) {
      keep(chunk.subarray(begin, end))
      yield decoded(decoder, parts)
      parts = []
      bytes = 0
      begin = end + 1
    }
    keep(chunk.subarray(begin))
  }
  if (bytes > 0) throw new LineFault('the file was cut off in the middle of it')
}

function decoded(decoder: InstanceType<typeof TextDecoder>, parts: readonly Uint8Array[]): string {
  try {
    return decoder.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts))
  } catch (cause) {
    throw new LineFault('it is no UTF-8', { cause })
  }
}
