// Reads what came from a backend: the port's own readers, with every text that might tell of the backend's inside replaced.
import { type OpenedFile, Problem, problems } from '@clinic-data/contract'
import type { ReadReply } from '@clinic-data/contract/port-answer'
import { carriesFile, fileHead, fileRefusal } from '@clinic-data/contract/port-file-answer'
import type { Read } from './port-client.ts'
import { unavailable, upstreamError } from './port-failure.ts'

/** Reads the whole body, then its meaning. */
export function whole<T>(read: ReadReply<T>): Read<T> {
  return async ({ statusCode, body }) => publicly(read({ status: statusCode, text: await body.text() }))
}

/** Reads the headers; the stream is the caller's, to read or to destroy. */
export const readFile: Read<OpenedFile> = async ({ statusCode, headers, body }) => {
  if (!carriesFile(statusCode)) return publicly(fileRefusal({ status: statusCode, text: await body.text() }))
  // It may break before its reader listens; the reader, when it comes, learns of it all the same.
  body.on('error', () => undefined)
  try {
    return { ...fileHead(statusCode, headers), stream: body }
  } catch (error) {
    body.destroy()
    throw error
  }
}

/** From 500 on the texts are ours: a backend's own might tell of its inside. */
function publicly<T>(result: T | Problem): T | Problem {
  if (!(result instanceof Problem)) return result
  const { slug, members } = result
  switch (slug) {
    case 'service-unavailable':
      return unavailable('the backend answered so', members.retry_after)
    case 'upstream-error':
      return upstreamError('the backend answered so')
    case 'internal-error':
      return new Problem(slug, problems[slug][2], {}, 'the backend answered so')
    default:
      return result
  }
}
