// The record that an event tells of, read from the beginning of its data: each resource of an event begins with its id.

const ID = /^\{"id":("(?:[^"\\]|\\.)+")/

/** Null when the data does not begin with an id. A write is worth more than the search for its event. */
export function recordOf(data: string): string | null {
  const [, id] = ID.exec(data) ?? []
  return id === undefined ? null : (JSON.parse(id) as string)
}
