// The request that an operation's sample sends, for the languages that send it by a plain HTTP client.
import { exampleIds, idLists, type Operation } from '../operation.ts'
import { operations } from '../operations.ts'
import { filledPath } from '../routes.ts'

/**
 * The path of the list from which a sample takes the id of a delivery. A delivery is kept for some weeks only, so a sample cannot
 * name one. Null where no delivery is named.
 */
export function logOf({ ids, example }: Operation): string | null {
  return Object.values(ids).includes('delivery') ? filledPath(operations[idLists.delivery], example.params) : null
}

/** The path with its query: the parts between which a delivery's id stands. */
export function addressParts(operation: Operation): readonly string[] {
  const { example } = operation
  const query = new URLSearchParams(example.query).toString()
  return `${filledPath(operation, example.params)}${query && `?${query}`}`.split(exampleIds.delivery)
}

/** A text between double quotes: every language here reads the escapes of JSON. */
export function quoted(text: string): string {
  return plain(JSON.stringify(text))
}

/** The body as JSON that stands as it is in a text of several lines of any language here. Null where there is none. */
export function bodyLines({ body, example }: Operation): readonly string[] | null {
  return body === undefined ? null : plain(JSON.stringify(example.body, null, 2)).split('\n')
}

/**
 * JSON whose strings hold no character that the source of a program may not hold: the mark that ends a text in Go, other ends of lines,
 * and what nobody sees.
 */
function plain(json: string): string {
  return json.replaceAll(/[`\u007f-\u009f\u2028\u2029\ufeff]/g, escaped)
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
