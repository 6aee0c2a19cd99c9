// Converts PostgreSQL's text of a column to the JavaScript value that the project uses.
//
// Instants, dates and decimals keep PostgreSQL's own text: it prints an instant in the clinic's zone, and no decimal is rounded
// through a float.

import { arrayElements } from './array-elements.ts'

type Parse = (text: string) => unknown

const asText: Parse = (text) => text

/** Amounts are stored in minor units as int8. JSON has no integers beyond this range, so a row must not have one either. */
function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`the integer ${text} does not fit into a number`)
  return value
}

const bytes: Parse = (text) => Buffer.from(text.slice(2), 'hex')

const scalars: [oid: number, arrayOid: number, parse: Parse][] = [
  [16, 1000, (text) => text === 't'],
  [17, 1001, bytes],
  [20, 1016, safeInteger],
  [21, 1005, Number],
  [23, 1007, Number],
  [26, 1028, Number],
  [700, 1021, Number],
  [701, 1022, Number],
  [114, 199, (text) => JSON.parse(text) as unknown],
  [3802, 3807, (text) => JSON.parse(text) as unknown],
  [25, 1009, asText],
  [1043, 1015, asText],
  [19, 1003, asText],
  [1082, 1182, asText],
  [1184, 1185, asText],
  [1700, 1231, asText],
  [2950, 2951, asText],
]

const parsers = new Map<number, Parse>()
for (const [oid, arrayOid, parse] of scalars) {
  parsers.set(oid, parse)
  parsers.set(arrayOid, (text) => arrayElements(text).map((element) => (element === null ? null : parse(element))))
}

/** In the form that the driver expects. */
export const columnTypes = {
  getTypeParser: (oid: number): Parse => parsers.get(oid) ?? asText,
}
