// Signed file links: no key, 15 minutes, `Range`. The signature is checked first, then the time, then whether the key still lives.
import { type ByteRange, Problem } from '@clinic-data/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { openFileLink } from './file-link.ts'
import type { Edge } from './pipeline.ts'

const RANGE = /^bytes=(\d{0,12})-(\d{0,12})$/

/** The one range of a `Range` header; several, or another unit, are answered whole, as HTTP allows. */
export function parseRange(header: string | undefined): ByteRange | null {
  const [, first = '', last = ''] = RANGE.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  const range = { first: first === '' ? null : Number(first), last: last === '' ? null : Number(last) }
  return range.first !== null && range.last !== null && range.last < range.first ? null : range
}

export function filesRoute(edge: Edge) {
  return async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { '*': opaque } = request.params as { '*': string }
    const search = new URLSearchParams(request.raw.url?.split('?')[1] ?? '')
    const reference = openFileLink(
      edge.fileLinkKeys,
      { opaque, exp: search.get('exp') ?? '', sig: search.get('sig') ?? '' },
      edge.now(),
    )
    if (reference === 'invalid') throw new Problem('not-found', 'There is no such file link. Ask for a new link.')
    if (reference === 'expired') throw expired()
    const opened = await edge.backend.openFile(
      reference,
      request.method === 'GET' ? parseRange(request.headers.range) : null,
    )
    const status = opened.state === 'open' ? (opened.last - opened.first + 1 < opened.size_bytes ? 206 : 200) : 0
    const recorded = edge.auditTrail.add({
      at: new Date(edge.now()).toISOString(),
      clinic_id: reference.clinic_id,
      key_id: reference.key_id,
      operation: 'files.get',
      surface: 'file',
      resource_ids: [reference.file_id],
      count: status === 0 ? 0 : 1,
      status: status === 0 ? REFUSED[opened.state as keyof typeof REFUSED] : status,
      request_id: request.id,
      address: edge.authentication.addressOf(request),
    })
    try {
      await recorded
    } catch (error) {
      if (opened.state === 'open') opened.stream.destroy()
      throw error
    }
    if (opened.state === 'revoked') throw expired()
    if (opened.state === 'missing') throw new Problem('not-found', 'The file is gone.')
    if (opened.state === 'unsatisfiable') {
      reply.header('content-range', `bytes */${opened.size_bytes}`)
      throw new Problem(
        'range-not-satisfiable',
        `The file has ${opened.size_bytes} bytes: ask for a range within them.`,
      )
    }
    reply
      .code(status)
      .type(opened.content_type)
      .header('content-length', opened.last - opened.first + 1)
      .header('accept-ranges', 'bytes')
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(opened.file_name)}`)
    if (status === 206) reply.header('content-range', `bytes ${opened.first}-${opened.last}/${opened.size_bytes}`)
    if (request.method === 'HEAD') {
      opened.stream.destroy()
      return reply.send()
    }
    return reply.send(opened.stream)
  }
}

const REFUSED = { revoked: 410, missing: 404, unsatisfiable: 416 } as const

function expired(): Problem {
  return new Problem('link-expired', 'This link has expired. Ask for a new link with a valid key.')
}
