// Sends a stranger's request, each from an address of its own, so that none is refused for those before, or from one that is given.
import { request as send } from 'node:http'
import { BASE_URL, pathOf, type Sent } from './stranger-requests.ts'

/** The two listeners. Both trust what this machine says of a client's address. */
export interface Listeners {
  readonly address: string
  readonly adminAddress: string
}

let sentUntilNow = 0

/** @returns the status of the answer. */
export function sendAsStranger(
  to: Listeners,
  route: string,
  { headers, body, path = pathOf(route), from }: Sent,
): Promise<number> {
  const [method = ''] = route.split(' ')
  const isPrivate = /^\/(?:console|ingest|port|metrics)/.test(path)
  const origin = isPrivate ? to.adminAddress : to.address
  const { host } = new URL(isPrivate ? origin : BASE_URL)
  const number = ++sentUntilNow
  // A /48 of its own: wider blocks share limits too.
  const forwarded = from ?? `2001:${(0xd00 + (number >> 16)).toString(16)}:${(number & 0xffff).toString(16)}::1`
  const options = { method, agent: false, headers: { host, ...headers, 'x-forwarded-for': forwarded } }
  return new Promise((resolve, reject) => {
    const request = send(`${origin}${path}`, options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    request.on('error', (cause) => reject(new Error(`${route} has no answer`, { cause })))
    request.end(body)
  })
}
