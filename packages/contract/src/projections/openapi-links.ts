// Where an answer leads: the operations that take the id in it, as links of the OpenAPI document, for tools that follow them.
import { joinedId } from '../names.ts'
import type { Operation } from '../operation.ts'
import { allOperations } from '../operations.ts'
import { nameOf, type TSchema } from '../schema.ts'
import type { Link } from './openapi-document.ts'

/**
 * The links of an operation's answer, by operation id. An answer with a resource that can be read by its id, or a list of
 * them, leads to every operation on such an id; a list also to what lies behind its own path.
 *
 * @example linksOf(operations['webhooks.create']).webhooks_get // { operationId: 'webhooks_get', parameters: { id: … } }
 */
export function linksOf(operation: Operation): Record<string, Link> {
  const { resource, isList } = answered(operation)
  const id = isList ? '$response.body#/data/0/id' : '$response.body#/data/id'
  const own = Object.fromEntries(
    Object.keys(operation.params.properties).map((name) => [name, `$request.path.${name}`]),
  )
  const readers = allOperations.filter((other) => isReader(other) && answered(other).resource === resource)
  const byId = allOperations.filter(({ path }) => readers.some((reader) => `${path}/`.startsWith(`${reader.path}/`)))
  const links = byId.filter(takesOnlyId).map((other) => link(other, { id }))
  if (isList) {
    for (const other of allOperations) {
      const name = behind(operation.path, other.path)
      if (name !== undefined) links.push(link(other, { ...own, [name]: id }))
    }
  }
  return Object.fromEntries(links.filter(isAnother(operation)).map((one) => [one.operationId, one]))
}

function link(to: Operation, parameters: Record<string, string>): Link {
  return { operationId: joinedId(to.id, '_'), description: `${to.summary}.`, parameters }
}

function isAnother({ id }: Operation): (link: Link) => boolean {
  return ({ operationId }) => operationId !== joinedId(id, '_')
}

function takesOnlyId({ params }: Operation): boolean {
  return Object.keys(params.properties).join() === 'id'
}

/** The name of the parameter that stands right behind a list's path, and is the last one: `delivery_id`. */
function behind(list: string, path: string): string | undefined {
  return path.startsWith(`${list}/`) ? /^\{(\w+)\}[^{]*$/.exec(path.slice(list.length + 1))?.[1] : undefined
}

/** Whether an operation reads one resource by its id. */
function isReader({ method, shape, path }: Operation): boolean {
  return method === 'GET' && shape === 'one' && path.endsWith('/{id}')
}

function answered({ output }: Operation): { resource: string | undefined; isList: boolean } {
  const { data } = (output as unknown as { properties: { data?: TSchema & { items?: TSchema } } }).properties
  const schema = data?.items ?? data
  return { resource: schema && nameOf(schema), isList: data?.items !== undefined }
}
