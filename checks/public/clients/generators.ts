// The generators that are tried, with their versions: `docs/clients.md` names the same.

export interface Generator {
  /** Its folder here: `run.sh` makes the client, compiles it and makes the calls. */
  readonly name: string
  /** The programs that it needs. */
  readonly needs: readonly string[]
  readonly version: string
  /** The name of this generator in openapi-generator. */
  readonly target?: string
}

/** Of openapi-generator, whose clients of all languages are made at once. */
export const OPENAPI_GENERATOR = '7.25.0'

export const generators: readonly Generator[] = [
  { name: 'python', needs: ['java', 'python3'], version: OPENAPI_GENERATOR, target: 'python' },
  { name: 'oapi-codegen', needs: ['go'], version: '2.8.0' },
]
