// Signed file links: no key, 15 minutes, `Range`. Checks the signature first, then the time, then whether the key is still valid.
import { Readable } from 'node:stream'
import { type AuditRow, type ByteRange, type FileReference, type OpenedFile, Problem } from '@clinic-data/contract'
import { openFileLink } from '@clinic-data/contract/file-link'
import { safeFileName } from '@clinic-data/contract/file-name'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressNotAllowed } from '../answers/problem-response.ts'
import type { Edge } from '../calls/edge.ts'
import { goneSignal } from '../connections/gone-signal.ts'
import { Downloads, keepingPace } from './downloads.ts'

const RANGE = /^bytes=(\d{0,12})-(\d{0,12})$/

/** The single range of a `Range` header. For several ranges or another unit the whole file is sent, as HTTP allows. */
function parseRange(header: string | undefined): ByteRange | null {
  const [, first = '', last = ''] = RANGE.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  const range = { first: first === '' ? null : Number(first), last: last === '' ? null : Number(last) }
  return range.first !== null && range.last !== null && range.last < range.first ? null : range
}

export function filesRoute(edge: Edge) {
  const downloads = new Downloads()
  return async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const reference = referenceOf(edge, request)
    const leave = await downloads.enter(reference, goneSignal(reply))
    try {
      const stream = await open(edge, reference, request, reply)
      stream.once('close', leave)
      return reply.send(stream)
    } catch (error) {
      leave()
      throw error
    }
  }
}

/** Writes everything that comes before the bytes. */
async function open(edge: Edge, reference: FileReference, request: FastifyRequest, reply: FastifyReply) {
  const range = request.method === 'GET' ? parseRange(request.headers.range) : null
  const address = edge.authentication.addressOf(request)
  const opened = await edge.backend.openFile(reference, range, address)
  if (opened.state !== 'open') {
    const problem = refusal(opened, address, reply)
    const patient_ids = (opened.state === 'unsatisfiable' && opened.patient_ids) || []
    await record(edge, request, reference, { status: problem.status, problem: problem.slug, patient_ids, count: 0 })
    throw problem
  }
  const status = range === null ? 200 : 206
  const { patient_ids } = opened
  try {
    await record(edge, request, reference, { status, ...(patient_ids && { patient_ids }), count: 1 })
  } catch (error) {
    opened.stream.destroy()
    throw error
  }
  const { content_type, first, last, size_bytes, stream } = opened
  const file_name = safeFileName(opened.file_name, content_type)
  reply
    .code(status)
    .type(content_type)
    .header('content-length', last - first + 1)
    .header('accept-ranges', 'bytes')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file_name)}`)
  if (status === 206) reply.header('content-range', `bytes ${first}-${last}/${size_bytes}`)
  if (request.method !== 'HEAD') return keepingPace(stream)
  stream.destroy()
  // An empty stream keeps the announced length. No body at all would set it to 0.
  return Readable.from([])
}

function referenceOf(edge: Edge, request: FastifyRequest): FileReference {
  const { '*': opaque } = request.params as { '*': string }
  const search = new URLSearchParams(request.raw.url?.split('?')[1] ?? '')
  const link = { opaque, exp: search.get('exp') ?? '', sig: search.get('sig') ?? '' }
  const reference = openFileLink(edge.fileLinkKeys, link, edge.now())
  if (reference === 'invalid') throw new Problem('not-found', 'There is no such file link. Ask for a new link.')
  if (reference === 'expired') throw expired()
  return reference
}

type Outcome = Pick<AuditRow, 'status' | 'problem' | 'patient_ids' | 'count'>

function record(edge: Edge, request: FastifyRequest, file: FileReference, outcome: Outcome): Promise<void> {
  return edge.auditTrail.add({
    at: new Date(edge.now()).toISOString(),
    clinic_id: file.clinic_id,
    key_id: file.key_id,
    operation: 'files.get',
    surface: 'file',
    resource_ids: [file.file_id],
    ...outcome,
    request_id: request.id,
    address: edge.authentication.addressOf(request),
    duration_ms: Math.round(performance.now() - request.observed.startedAt),
  })
}

function refusal(opened: Exclude<OpenedFile, { state: 'open' }>, address: string, reply: FastifyReply): Problem {
  if (opened.state === 'revoked') return expired()
  if (opened.state === 'elsewhere') return addressNotAllowed(address)
  if (opened.state === 'missing') return new Problem('not-found', 'The file is gone.')
  reply.header('content-range', `bytes */${opened.size_bytes}`)
  const detail = `The file has ${opened.size_bytes} bytes: ask for a range within them.`
  return new Problem('range-not-satisfiable', detail)
}

function expired(): Problem {
  return new Problem('link-expired', 'This link has expired. Ask for a new link with a valid key.')
}
