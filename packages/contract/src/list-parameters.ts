// The query parameters that lists share.

import { MAX, PAGE } from './limits.ts'
import type { IdKind } from './operation.ts'
import { choice, Type, text, whole } from './schema/schema.ts'

/** The parameters of every paginated list. */
export const paging = {
  limit: Type.Optional(whole(1, PAGE.max, { default: PAGE.default, description: 'Rows per page.' })),
  cursor: Type.Optional(
    text(MAX.cursor, {
      minLength: 1,
      description: 'The `next_cursor` of the previous page, unchanged.',
    }),
  ),
}

/** `updated_since` of a list: it changes the order to `updated_at, id` ascending. */
export const updatedSince = {
  updated_since: Type.Optional(
    text(MAX.instant, {
      format: 'instant',
      description:
        'Only rows changed at or after this instant (ISO 8601), oldest change first. Next time, send the last `updated_at` that you read less 60 seconds.',
    }),
  ),
}

/** `from` and `to` of a list over one column. */
export function period(column: string) {
  const bound = (which: string) =>
    Type.Optional(
      text(MAX.instant, {
        format: 'day-or-instant',
        description: `Rows whose \`${column}\` is ${which} this instant (ISO 8601 with offset) or clinic-local day (\`YYYY-MM-DD\`), inclusive.`,
      }),
    )
  return { from: bound('at or after'), to: bound('at or before') }
}

export const responseFormat = {
  response_format: Type.Optional(
    Type.Unsafe<'concise' | 'detailed'>({
      type: 'string',
      enum: ['concise', 'detailed'],
      default: 'concise',
      description: '`detailed` adds extra fields where available.',
    }),
  ),
}

/** The same without a default: it goes to the backend only when a client sends it, because earlier ones do not know it here. */
export const askedFormat = (description: string) => ({
  response_format: Type.Optional(choice(['concise', 'detailed'], { description })),
})

/** A filter by id. */
export function idFilter(what: IdKind) {
  return Type.Optional(text(MAX.id, { minLength: 1, description: `Only rows of this ${what}.` }))
}
