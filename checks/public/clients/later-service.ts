// The service as after a release that added fields to every resource, values to lists, a scope and an event: in front of a running one.
import { ask, handOn, withServiceInFront } from '../service-in-front.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
type Fields = { [name: string]: Json }

/** @param url the running service. `use` gets the address of the later one. */
export function withLaterService(url: string, use: (url: string) => Promise<void>): Promise<void> {
  return withServiceInFront(async (request, response, body) => {
    const { url: path = '/' } = request
    const answer = await ask(url + path, request, body)
    const text = await answer.text()
    const isChanged = answer.ok && text !== ''
    await handOn(answer, response, isChanged ? JSON.stringify(later(path, JSON.parse(text))) : text)
  }, use)
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
