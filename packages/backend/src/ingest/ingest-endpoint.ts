// The form of a private door that takes no records: a question, a setting, a file.
import type { IncomingMessage } from 'node:http'
import type { TObject, TSchema } from '@clinic-data/contract/schema'
import type { IngestParts } from './ingest-parts.ts'
import type { IngestPrincipal } from './ingest-tokens.ts'
import type { IngestTag } from './tags.ts'

/** One request, after the token and, where JSON is taken, after its schema. */
export interface Asked extends IngestParts {
  readonly principal: IngestPrincipal
  /** Those of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly body: unknown
  readonly request: IncomingMessage
}

export interface Answered {
  /** Of the form of `data`. */
  readonly data: unknown
  /** What the audit log names. */
  readonly ids: readonly string[]
}

export interface IngestEndpoint {
  /** `settings.get`: the operation of the audit log and of the document. */
  readonly id: string
  readonly method: 'GET' | 'POST'
  /** Below `/ingest/v1`: `/documents/{id}/link`. */
  readonly path: `/${string}`
  readonly tag: IngestTag
  readonly summary: string
  readonly description: string
  /** What a POST takes: JSON of this form, or a file as it is. */
  readonly body?: TObject | 'file'
  /** A body as one would send it. */
  readonly example?: object
  readonly data: TSchema
  /** An answer of this form. */
  readonly answer: object
  run(asked: Asked): Promise<Answered>
}
