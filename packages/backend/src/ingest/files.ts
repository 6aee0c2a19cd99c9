// Files from the clinic's own systems, above all recordings: stored as they stream in, whole or not at all (docs/decisions/0021).
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { MAX, one, Problem } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { Id, object, strictObject, Type } from '@clinic-data/contract/schema'
import { receiveFile } from '@clinic-data/records/file-bytes'
import { arriving, LEAST_SPEED } from '@clinic-data/surface/arriving-bytes'
import type { PlainOperation } from './ingest-operation.ts'

/** Excludes types that a browser would run in the name of the page that shows them. */
const MEDIA_TYPE = /^(audio|image|video)\/[a-z0-9][a-z0-9.+-]*$/
const REFUSED_MEDIA = ['image/svg+xml']
const DOCUMENTS = [
  'application/pdf',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'text/plain',
  'text/csv',
]

/** `audio/ogg; codecs=opus`. */
const PARAMETERS = /^(;[ \t]*[a-z]+=("[\w .,+-]*"|[\w.+-]+))*$/i

export const fileOperations: readonly PlainOperation[] = [
  {
    id: 'files.store',
    method: 'POST',
    path: '/files',
    tag: 'Files',
    summary: 'Upload a file',
    description: `The body is the file as it is, at most ${MAX.file / 1024 / 1024} MiB, at no less than ${LEAST_SPEED}. \`X-File-Name\` holds its name, percent-encoded. Allowed are audio, images (no SVG), videos, PDF, office documents, plain text and CSV. A file that no record refers to (a call, for example) is removed after a day.`,
    params: strictObject({}),
    uploads: ['audio/*', 'image/*', 'video/*', ...DOCUMENTS],
    output: one(object({ id: Id, size_bytes: Type.Integer({ minimum: 1, maximum: MAX.file, format: 'int64' }) })),
    example: { answer: { data: { id: 'file_8a1f0f4e-6a52-4a53-9d5f-0d9b2a1c7e11', size_bytes: 481_044 } } },
    run: async ({ database, unchecked, now, principal: { clinic }, request }) => {
      const described = describe(request.headers)
      const file = { ...described, content: bytesOf(request) }
      const stored = await receiveFile({ database, unchecked }, clinic, now(), file)
      if (stored === null) throw new Problem('invalid-request', 'The body is empty: send the file as it is.')
      const { file_id, size_bytes } = stored
      return { data: { id: file_id, size_bytes }, ids: [file_id], patient_ids: [] }
    },
  },
]

function describe(headers: IncomingHttpHeaders): { content_type: string; file_name: string } {
  const content_type = contentType(headers['content-type'] ?? '')
  if (content_type === null) {
    throw new Problem(
      'unsupported-media-type',
      'Send the file as audio, image, video, PDF, an office document, plain text or CSV, in Content-Type.',
    )
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Problem('unsupported-media-type', 'Send the file without a content encoding.')
  }
  if (Number(headers['content-length'] ?? 0) > MAX.file) throw tooLarge()
  return { content_type, file_name: fileName(headers['x-file-name']) }
}

function contentType(header: string): string | null {
  const text = header.trim()
  const at = text.indexOf(';')
  const type = (at === -1 ? text : text.slice(0, at)).trim().toLowerCase()
  const parameters = at === -1 ? '' : text.slice(at)
  const isTaken = (MEDIA_TYPE.test(type) && !REFUSED_MEDIA.includes(type)) || DOCUMENTS.includes(type)
  const whole = `${type}${parameters}`
  return isTaken && PARAMETERS.test(parameters) && whole.length <= MAX.content_type ? whole : null
}

/** No path, and no character that a terminal or a file system treats specially. */
const FILE_NAME = /^[^/\\\p{Cc}\p{Cs}]+$/u

function fileName(header: string | readonly string[] | undefined): string {
  const refuse = (code: string, detail: string) =>
    faultProblem('invalid-request', [{ header: 'X-File-Name', code, detail }])
  if (typeof header !== 'string' || header === '') throw refuse('required', 'is required: the name of the file')
  const name = decoded(header)
  if (name === null) throw refuse('format', 'must be percent-encoded UTF-8')
  if (name.length > MAX.file_name) throw refuse('too_long', `must have at most ${MAX.file_name} characters`)
  if (!FILE_NAME.test(name) || name === '.' || name === '..') {
    throw refuse('format', 'must be a name without slashes and control characters')
  }
  return name
}

function decoded(header: string): string | null {
  try {
    return decodeURIComponent(header)
  } catch {
    return null
  }
}

async function* bytesOf(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of arriving(request)) {
    size += chunk.byteLength
    if (size > MAX.file) throw tooLarge()
    yield chunk
  }
}

function tooLarge(): Problem {
  return new Problem('content-too-large', `A file may have at most ${MAX.file} bytes. Nothing was stored.`)
}
