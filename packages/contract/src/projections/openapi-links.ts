// Links of the OpenAPI document, for tools that follow them: the operations that take the id in an answer.
import { joinedId } from '../names.ts'
import type { IdKind, Operation } from '../operation.ts'
import { allOperations, answeredKind } from '../operations.ts'
import type { Link } from './openapi-document.ts'

/**
 * The links of an operation's answer, by operation id. An answer with an id of its own, or a list of such rows, links to every
 * operation on that id. A list also links to those that need the ids of its own path as well.
 *
 * @example linksOf(operations['webhooks.create']).webhooks_get // { operationId: 'webhooks_get', parameters: { id: … } }
 */
export function linksOf(operation: Operation): Record<string, Link> {
  const kind = answeredKind(operation)
  const isList = ['page', 'bounded'].includes(operation.shape)
  const own = isList ? operation.ids : {}
  const place = (name: string, taken: IdKind) => {
    if (taken === kind) return isList ? '$response.body#/data/0/id' : '$response.body#/data/id'
    return taken === own[name] ? `$request.path.${name}` : null
  }
  const links = allOperations.flatMap((other) => {
    if (other.id === operation.id || !Object.values(other.ids).some((taken) => taken === kind)) return []
    const places = Object.entries(other.ids).map(([name, taken]) => [name, place(name, taken)])
    return places.some(([, from]) => from === null) ? [] : [link(other, Object.fromEntries(places))]
  })
  return Object.fromEntries(links.map((one) => [one.operationId, one]))
}

function link(to: Operation, parameters: Record<string, string>): Link {
  return { operationId: joinedId(to.id, '_'), description: `${to.summary}.`, parameters }
}
