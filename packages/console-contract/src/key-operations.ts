// The operations of one key: its own page, and what can be changed of it.
import { MAX } from '@clinic-data/contract/limits'
import { about, GivenName, list, nullable, object, type Static, Type, text, whole } from '@clinic-data/contract/schema'
import { changeOf, consoleOperation } from './console-operation.ts'
import { ConsoleKey, LatestUse, Networks } from './console-resources.ts'

/** One key with what it did last. */
export const KeyPage = object({
  ...ConsoleKey.properties,
  ...LatestUse,
  webhooks: about(
    'Those that it made.',
    list(
      object({
        id: text(MAX.id),
        url: text(MAX.url),
        description: nullable(text(MAX.description)),
        enabled: Type.Boolean(),
      }),
      MAX.subscriptions,
    ),
  ),
})

export type KeyPage = Static<typeof KeyPage>

export const keyOperations = {
  key: consoleOperation({
    id: 'console.keys.get',
    method: 'GET',
    path: '/console/api/keys/{id}',
    output: object({ data: KeyPage }),
  }),
  /** Its scopes stay: a key with others is another key. A revoked one is 409. */
  changeKey: consoleOperation({
    id: 'console.keys.change',
    method: 'POST',
    path: '/console/api/keys/{id}',
    audited: 'console.keys.change',
    body: changeOf({
      name: Type.Optional(GivenName),
      expires_at: Type.Optional(nullable(text(MAX.instant, { format: 'instant' }))),
      rate_limit: Type.Optional(nullable(whole(1, 1_000_000))),
      networks: Type.Optional(Networks),
    }),
    output: object({ data: ConsoleKey }),
  }),
} as const
