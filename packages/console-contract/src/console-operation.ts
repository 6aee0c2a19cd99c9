// The form of an operation of the console: the page of a clinic's administrators on the private listener. Not part of the public
// contract: no document, tool or command shows it.
import { Id, strictObject, type TObject, type TProperties, type TSchema, Type } from '@clinic-data/contract/schema'

export interface ConsoleOperation {
  readonly id: `console.${string}`
  readonly method: 'GET' | 'POST'
  readonly path: `/console/api/${string}`
  /** Whether it needs a session. Only signing in needs none. */
  readonly access: 'anyone' | 'session'
  /** Whether it takes the header `Idempotency-Key`, and must. */
  readonly takesIdempotencyKey: boolean
  /** The name of its rows in the audit log. Null for a read. */
  readonly audited: `console.${string}` | null
  /** Path parameters. */
  readonly params: TObject
  readonly query: TObject
  readonly body: TObject | null
  /** Null for an answer without a body. */
  readonly output: TSchema | null
  readonly status: 200 | 201 | 204
}

type ParameterOf<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParameterOf<Rest> : never

const none = strictObject({})

const Known = Type.Unsafe<object>({
  type: 'object',
  description:
    'The fields as they were when the form was opened. 409 with `changed_meanwhile` when one of them has changed since.',
})

/** The body of a change: the fields that it changes, and what the person who sends it knows of them all. */
export function changeOf<P extends TProperties>(fields: P) {
  return strictObject({ ...fields, known: Type.Optional(Known) })
}

interface Written<M, Path, Q extends TObject, B extends TObject | null, O extends TSchema | null> {
  id: `console.${string}`
  method: M
  path: Path
  access?: 'anyone'
  takesIdempotencyKey?: true
  audited?: `console.${string}`
  query?: Q
  body?: B
  output?: O
  /** 200 with neither a body nor JSON: a file is answered. */
  status?: 200 | 201
}

/** Completes an operation with the defaults and keeps its schemas' types. */
export function consoleOperation<
  const M extends ConsoleOperation['method'],
  const Path extends ConsoleOperation['path'],
  Q extends TObject = typeof none,
  B extends TObject | null = null,
  O extends TSchema | null = null,
>(written: Written<M, Path, Q, B, O>) {
  const names = [...written.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return {
    access: 'session',
    takesIdempotencyKey: false,
    audited: null,
    ...written,
    // The compiler knows the names from the path's own type, and not from the names that are found in its text.
    params: strictObject(Object.fromEntries(names.map((name) => [name, Id]))) as unknown as TObject<
      Record<ParameterOf<Path>, typeof Id>
    >,
    query: (written.query ?? none) as Q,
    body: (written.body ?? null) as B,
    output: (written.output ?? null) as O,
    status: written.status ?? (written.output === undefined ? 204 : 200),
  } as const satisfies ConsoleOperation
}
