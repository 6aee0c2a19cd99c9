// The event feed: a client that cannot be called reads the webhooks' events here, in one order and without loss.

import { envelopeExample } from '../event-examples.ts'
import { MAX, PAGE } from '../limits.ts'
import { operation, paging } from '../operation.ts'
import { EventEnvelope } from '../resources/webhook.ts'
import { about, list, nullable, object, strictObject, Type, text, whole } from '../schema.ts'

export const eventsList = operation({
  id: 'events.list',
  method: 'GET',
  path: '/v1/events',
  scope: 'webhooks:manage',
  tag: 'Webhooks',
  summary: 'The event feed',
  description:
    'Every event once, in order. Without `cursor` and `since` it starts now; from then on send back `resume_cursor`. Any `chat.*` type needs `chat:read` too: left out where none is named. While `next_cursor` is not null more is to be read at once, also behind a page that has few rows or none.',
  query: strictObject({
    event_types: Type.Optional(
      text(MAX.note, { format: 'event-types', description: 'Only these types, separated by commas.' }),
    ),
    since: Type.Optional(
      text(MAX.instant, {
        format: 'instant',
        description:
          'Begin with the first event at or after this instant that is still kept. Of no effect beside `cursor`.',
      }),
    ),
    wait: Type.Optional(
      whole(0, 5, {
        default: 0,
        description: 'Seconds to wait for an event while there is none: then it is answered at once.',
      }),
    ),
    limit: paging.limit,
    cursor: Type.Optional(
      about(
        'The `resume_cursor` of the answer before, or its `next_cursor`. Opaque: never parse or build one.',
        Type.String({ minLength: 1, maxLength: MAX.cursor }),
      ),
    ),
  }),
  unbound: ['since', 'wait'],
  shape: 'page',
  order: 'feed',
  untrustedText: true,
  output: object({
    data: list(EventEnvelope, PAGE.max),
    next_cursor: nullable(text(MAX.cursor, { description: 'Null when every event so far has been read.' })),
    resume_cursor: text(MAX.cursor, {
      description: 'Where the feed has been read to: never null. Keep it, and go on from it as `cursor`.',
      examples: ['djE6ODgxMjA'],
    }),
  }),
  example: {
    query: { event_types: 'appointment.created' },
    answer: { data: [envelopeExample('appointment.created')], next_cursor: null, resume_cursor: 'djE6ODgxMjA' },
  },
})
