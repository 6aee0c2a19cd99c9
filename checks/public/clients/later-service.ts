// The service as after a release that added fields to every resource, values to lists, a scope and an event: in front of a running one.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
type Fields = { [name: string]: Json }

/** @param url the running service. `use` gets the address of the later one. */
export async function withLaterService(url: string, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    forward(url, request, response).catch((error: Error) => response.destroy(error))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const NOT_FORWARDED = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'content-encoding',
  'expect',
])

async function forward(url: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url: path = '/' } = request
  const headers = Object.entries(request.headers).filter(([name]) => !NOT_FORWARDED.has(name))
  const body = await buffer(request)
  const answer = await fetch(url + path, {
    method,
    headers: headers.map(([name, value]) => [name, String(value)] as [string, string]),
    ...(body.length > 0 && { body }),
  })
  const text = await answer.text()
  const kept = [...answer.headers].filter(([name]) => !NOT_FORWARDED.has(name))
  response.writeHead(answer.status, kept.flat())
  response.end(answer.ok && text !== '' ? JSON.stringify(later(path, JSON.parse(text))) : text)
}

/** An answer as a later release could give it. */
function later(path: string, answer: Fields): Json {
  const resource = answer.data as Fields
  if (path.startsWith('/v1/me')) (resource.scopes as Json[]).push('rooms:read')
  if (path.startsWith('/v1/leads')) resource.status = 'added_later'
  if (/^\/v1\/patients\/\w+(\?|$)/.test(path)) resource.gender = 'added_later'
  if (path.startsWith('/v1/events')) (answer.data as Json[]).push(newEvent)
  return withNewFields(answer, true)
}

const newEvent = { id: 'evt_new', type: 'room.opened', created_at: '2026-07-12T09:30:00.123+03:00', data: { id: 'r1' } }

/** Every resource and every page has a further field. Maps, such as the rows of a query, have none. */
function withNewFields(part: Json, isAnswer = false): Json {
  if (Array.isArray(part)) return part.map((item) => withNewFields(item))
  if (typeof part !== 'object' || part === null) return part
  const fields = Object.entries(part).map(([name, value]) => [name, withNewFields(value)])
  const added = isAnswer || 'id' in part ? [['added_later', { id: 'new' }]] : []
  return Object.fromEntries([...fields, ...added])
}
