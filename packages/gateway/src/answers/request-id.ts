// The id of a request: on every answer, in every problem and log line. An id sent by the client is ignored.
import { randomUUID } from 'node:crypto'

export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`
}
