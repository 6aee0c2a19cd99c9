// Reads what came from a backend: the port's own readers, but with our texts where the backend's might reveal its internals.
import { type OpenedFile, Problem, problems } from '@clinic-data/contract'
import type { ReadReply } from '@clinic-data/contract/port-answer'
import { carriesFile, fileHead, fileRefusal } from '@clinic-data/contract/port-file-answer'
import { upstreamError } from '../answers/problem-response.ts'
import type { Answered, Read } from './port-client.ts'
import { unavailable } from './port-failure.ts'

/** Reads the meaning of a whole body. */
export function whole<T>(read: ReadReply<T>): Read<T> {
  return { whole: (reply) => publicly(read(reply)) }
}

/** Reads the headers. The caller reads or destroys the stream. */
export const readFile: Read<OpenedFile> = { streamed: readFileHead }

async function readFileHead({ statusCode, headers, body }: Answered): Promise<OpenedFile | Problem> {
  if (!carriesFile(statusCode)) return publicly(fileRefusal({ status: statusCode, text: await body.text() }))
  // The stream may break before its reader listens. This listener keeps the error from ending the process. The reader gets it too.
  body.on('error', () => undefined)
  try {
    return { ...fileHead(statusCode, headers), stream: body }
  } catch (error) {
    body.destroy()
    throw error
  }
}

/** From 500 on the texts are ours: the backend's own might reveal its internals. */
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
