// A signal that fires when the client disconnects before its answer.
import { Problem } from '@clinic-data/contract'
import type { FastifyReply } from 'fastify'

export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableEnded) gone.abort(new Problem('service-unavailable', 'The client has gone.'))
  })
  return gone.signal
}
