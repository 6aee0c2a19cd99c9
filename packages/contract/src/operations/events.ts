// The event feed: a client that cannot be called reads the webhooks' events here, in one order and without loss.

import { envelopeExample } from '../event-examples.ts'
import { MAX, PAGE } from '../limits.ts'
import { paging } from '../list-parameters.ts'
import { operation } from '../operation.ts'
import { EventEnvelope } from '../resources/webhook.ts'
import { about, list, nullable, object, strictObject, Type, text, whole } from '../schema/schema.ts'

export const eventsList = operation({
  id: 'events.list',
  method: 'GET',
  path: '/v1/events',
  scope: 'webhooks:manage',
  tag: 'Webhooks',
  summary: 'The event feed',
  description:
    'Every event once, in order. Without `cursor` and `since` the feed starts now. After each answer, send its `resume_cursor` back as `cursor`. The `chat.*` types also need `chat:read`. A request that names no types gets chat events only with that scope. While `next_cursor` is not null, more events can be read at once, even if this page has few rows or none.',
  query: strictObject({
    event_types: Type.Optional(
      text(MAX.note, {
        format: 'event-types',
        description: 'Only these types. Separate them with commas, or repeat the parameter.',
      }),
    ),
    since: Type.Optional(
      text(MAX.instant, {
        format: 'instant',
        description:
          'Begins with the first event at or after this instant that is still kept. Ignored if `cursor` is sent.',
      }),
    ),
    wait: Type.Optional(
      whole(0, 5, {
        default: 0,
        description:
          'How many seconds to wait for an event if there is none. The answer comes as soon as there is one.',
      }),
    ),
    limit: paging.limit,
    cursor: Type.Optional(
      about(
        'The `resume_cursor` or `next_cursor` of the previous answer, which had the same `event_types`. Opaque: never parse or build one.',
        Type.String({ minLength: 1, maxLength: MAX.cursor }),
      ),
    ),
  }),
  unbound: ['since', 'wait'],
  shape: 'page',
  order: 'feed',
  untrustedText: true,
  patients: 'event',
  output: object({
    data: list(EventEnvelope, PAGE.max),
    next_cursor: nullable(text(MAX.cursor, { description: 'Null when every event so far has been read.' })),
    resume_cursor: text(MAX.cursor, {
      description:
        'The position up to which the feed has been read, never null. Keep it, and send it as `cursor` to continue.',
      examples: ['djE6ODgxMjA'],
    }),
  }),
  example: {
    query: { event_types: 'appointment.created', since: '2026-07-01T00:00:00+03:00' },
    answer: { data: [envelopeExample('appointment.created')], next_cursor: null, resume_cursor: 'djE6ODgxMjA' },
  },
})
