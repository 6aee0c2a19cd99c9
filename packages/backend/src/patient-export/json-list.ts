// A list as pretty printed JSON, written while its items are read.

/** @param onItem hears how many items were written. */
export async function* jsonList(
  items: AsyncIterable<object>,
  onItem: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  let before = '[\n  '
  let count = 0
  for await (const item of items) {
    yield Buffer.from(`${before}${JSON.stringify(item, null, 2).replaceAll('\n', '\n  ')}`)
    before = ',\n  '
    onItem(++count)
  }
  yield Buffer.from(before.startsWith('[') ? '[]\n' : '\n]\n')
}

/** One object. */
export function jsonObject(value: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}
