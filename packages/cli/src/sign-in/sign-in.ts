// A sign-in by a person, in a browser here or elsewhere.
import type { Environment } from '../config.ts'
import type { Sink, Wait } from '../process-context.ts'
import type { ServiceMetadata } from './service-metadata.ts'

export interface SignIn {
  readonly metadata: ServiceMetadata
  readonly baseUrl: string
  /** The scopes that are asked for. Null: those that read. */
  readonly scope: string | null
  readonly environment: Pick<Environment, 'browser'>
  readonly stderr: Sink
  readonly signal: AbortSignal
  readonly wait: Wait
}
