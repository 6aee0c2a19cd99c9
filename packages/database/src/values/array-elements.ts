// Reads the elements of a one-dimensional array from PostgreSQL's text: `{plain,"quo\"ted",NULL}`.

export function arrayElements(text: string): (string | null)[] {
  const elements: (string | null)[] = []
  const end = text.length - 1
  if (text[0] !== '{' || text[end] !== '}')
    throw new RangeError('only arrays of one dimension that begin at 1 are read')
  let at = 1
  while (at < end) {
    const start = at
    if (text[at] === '"') {
      at = closingQuote(text, at + 1)
      elements.push(text.slice(start + 1, at).replace(/\\(.)/gs, '$1'))
      at += 2
    } else {
      const comma = text.indexOf(',', at)
      at = comma === -1 ? end : comma
      const element = text.slice(start, at)
      if (element.startsWith('{')) throw new RangeError('arrays in arrays are not read')
      elements.push(element === 'NULL' ? null : element)
      at += 1
    }
  }
  return elements
}

function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  throw new RangeError('an array element is not closed')
}
