// The order in which documents and help list the operations: by tag, then path, then GET before POST before PATCH before DELETE.
import type { Operation } from '../operation.ts'
import { tags } from './tags.ts'

const methods = ['GET', 'POST', 'PATCH', 'DELETE']
const tagNames = Object.keys(tags)

export function inReadingOrder(operations: readonly Operation[]): Operation[] {
  return [...operations].sort(
    (a, b) =>
      tagNames.indexOf(a.tag) - tagNames.indexOf(b.tag) ||
      (a.path === b.path ? methods.indexOf(a.method) - methods.indexOf(b.method) : a.path < b.path ? -1 : 1),
  )
}
