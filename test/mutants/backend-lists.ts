// Mutants of the backend: lists, their filters and pages.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a call before a lead came is no contact with it',
    file: 'packages/backend/src/operations/leads.ts',
    from: ' and ${at} >= lead.created_at`',
    to: '`',
    caught: {
      by: 'packages/backend/test/leads-list.test.ts',
      test: 'a lead has been contacted since the clinic called or wrote to it, or answered it, after it came',
    },
  },
  {
    breaks: 'a lead shows no name of a status as its note',
    file: 'packages/records/src/resources/lead.ts',
    from: " and entry.kind in ('note', 'submission')",
    to: '',
    caught: {
      by: 'packages/backend/test/leads-list.test.ts',
      test: 'a lead is read as it was captured, with the latest note of its submissions',
    },
  },
  {
    breaks: 'who asks for all reads gets no leads',
    file: 'packages/contract/src/scopes.ts',
    from: "const NAMED_ALONE: readonly Scope[] = ['leads:read']",
    to: 'const NAMED_ALONE: readonly Scope[] = []',
    caught: {
      by: 'packages/contract/test/scopes.test.ts',
      test: 'the bundle reads holds every read scope of the specification and no other',
    },
  },
  {
    breaks: 'no row stands on two pages',
    file: 'packages/records/src/lists/page.ts',
    from: 'const sign = descending ? sql`<` : sql`>`',
    to: 'const sign = descending ? sql`<=` : sql`>=`',
    caught: {
      by: 'packages/backend/test/paging.test.ts',
      test: 'treatments.list {"updated_since":"2020-01-01T00:00:00Z"} shows each lasting row once, while others are added and removed',
    },
  },
  {
    breaks: 'a page that is full with the last row is the last page',
    file: 'packages/records/src/lists/page.ts',
    from: 'const last = rows.length > limit ?',
    to: 'const last = rows.length >= limit ?',
    caught: {
      by: 'packages/backend/test/paging.test.ts',
      test: 'a page that is full with the last row is the last one, and a shorter one ends before it',
    },
  },
  {
    breaks: 'rows of one instant have one order, page after page',
    file: 'packages/records/src/lists/page.ts',
    from: 'sql`, ${id} ${direction}`} limit',
    to: 'sql`, ${id} asc`} limit',
    caught: {
      by: 'packages/backend/test/paging.test.ts',
      test: 'payments.list {} shows each lasting row once, while others are added and removed',
    },
  },
  {
    breaks: 'a page of the rows of several phones is in the order of the list',
    file: 'packages/records/src/lists/page.ts',
    from: '\n    ${pageOrder(sql`each`, listed.order)} limit ${query.limit + 1})`',
    to: ' limit ${query.limit + 1})`',
    caught: {
      by: 'packages/backend/test/calls.test.ts',
      test: 'the filters of calls combine, and each order pages over calls without a start',
    },
  },
  {
    breaks: 'a cursor with a day that does not exist is refused',
    file: 'packages/records/src/lists/page.ts',
    from: 'if (!exists || day <',
    to: 'if (day <',
    caught: {
      by: 'packages/backend/test/appointments.test.ts',
      test: 'a position at a day or a time that does not exist is refused, naming the cursor',
    },
  },
  {
    breaks: 'a cursor with a character that PostgreSQL refuses is refused by name',
    file: 'packages/records/src/lists/page.ts',
    from: "&& !text.includes('\\0')",
    to: '',
    caught: {
      by: 'packages/backend/test/appointments.test.ts',
      test: 'a position that no list of ours has made is refused, naming the cursor',
    },
  },
  {
    breaks: 'a cursor with a place too many is refused',
    file: 'packages/records/src/lists/page.ts',
    from: '|| after.length !== 2 ',
    to: '',
    caught: {
      by: 'packages/backend/test/appointments.test.ts',
      test: 'a position that no list of ours has made is refused, naming the cursor',
    },
  },
  {
    breaks: 'the list of an unknown patient is a 404',
    file: 'packages/backend/src/handling/list.ts',
    from: '    if (found.data.length === 0) await requireOwner(database, clinic, id)\n',
    to: '',
    caught: {
      by: 'packages/backend/test/appointments.test.ts',
      test: 'an unknown id is 404 in a path and an empty list in a filter',
    },
  },
  {
    breaks: 'the filters of appointments combine, also for one provider',
    file: 'packages/backend/src/handling/list.ts',
    from: '  where.push(...within(own.sort, query))\n',
    to: '',
    caught: {
      by: 'packages/backend/test/appointments.test.ts',
      test: 'from and to are inclusive, as instants and as whole local days, and leave out appointments without a start',
    },
  },
  {
    breaks: 'under updated_since the oldest change comes first',
    file: 'packages/backend/src/handling/list.ts',
    from: 'const order = query.updated_since === undefined ? own : byChange',
    to: 'const order = own',
    caught: {
      by: 'packages/backend/test/appointments.test.ts',
      test: 'updated_since is inclusive and puts the oldest change first',
    },
  },
  {
    breaks: 'a removed treatment is not found',
    file: 'packages/backend/src/operations/treatments.ts',
    from: 'sql`t.id = ${id} and t.removed_at is null`',
    to: 'sql`t.id = ${id}`',
    caught: { by: 'packages/backend/test/treatments.test.ts', test: 'a removed treatment is not found and in no list' },
  },
  {
    breaks: 'a removed treatment is in no list',
    file: 'packages/backend/src/operations/treatments.ts',
    from: '  only: sql`t.removed_at is null`,\n',
    to: '',
    caught: { by: 'packages/backend/test/treatments.test.ts', test: 'a removed treatment is not found and in no list' },
  },
  {
    breaks: 'a list of calls holds no transcript segments',
    file: 'packages/backend/src/operations/calls.ts',
    from: "callColumns(clinic, 'without segments')",
    to: "callColumns(clinic, 'with segments')",
    caught: {
      by: 'packages/backend/test/calls.test.ts',
      test: 'a call is answered with everyone who has its phone, and its transcript’s segments only by id',
    },
  },
  {
    breaks: 'a call without a recording answers 404 for it',
    file: 'packages/backend/src/operations/calls.ts',
    from: ', noRecording),',
    to: ", (id) => new Problem('not-found', id)),",
    caught: {
      by: 'packages/backend/test/calls.test.ts',
      test: 'the recording is a stored file, and 404 while there is none',
    },
  },
  {
    breaks: 'only approved templates are listed unless asked otherwise',
    file: 'packages/backend/src/operations/chat/chat-templates.ts',
    from: "{ query: { status = 'approved', ...query } }) =>\n      whole(grant, { query: { ...query, status } }),",
    to: '{ query }) => whole(grant, { query }),',
    caught: {
      by: 'packages/backend/test/chat.test.ts',
      test: 'templates come by name, approved ones unless asked otherwise',
    },
  },
  {
    breaks: 'a conversation whose window closes now is listed as closed',
    file: 'packages/backend/src/operations/chat/chat-conversations.ts',
    from: 'c.free_text_window_expires_at <= ${at})',
    to: 'c.free_text_window_expires_at < ${at})',
    caught: {
      by: 'packages/backend/test/chat.test.ts',
      test: 'the filters of conversations combine, latest activity first, those without any last',
    },
  },
  {
    breaks: 'a conversation whose window closes now is not listed as open',
    file: 'packages/backend/src/operations/chat/chat-conversations.ts',
    from: 'c.free_text_window_expires_at > ${at} and',
    to: 'c.free_text_window_expires_at >= ${at} and',
    caught: {
      by: 'packages/backend/test/chat.test.ts',
      test: 'the filters of conversations combine, latest activity first, those without any last',
    },
  },
  {
    breaks: 'a window that has closed is not told',
    file: 'packages/records/src/resources/chat-conversation.ts',
    from: 'case when c.free_text_window_expires_at > ${now} then',
    to: "case when c.free_text_window_expires_at > ${now}::timestamptz - interval '1 hour' then",
    caught: {
      by: 'packages/backend/test/chat.test.ts',
      test: 'a conversation is answered with the patients of its phone, and its window while it is open',
    },
  },
  {
    breaks: 'a call names all patients who have its phone',
    file: 'packages/records/src/resources/patient-summary.ts',
    from: 'order by p.id limit ${MOST})',
    to: 'order by p.id limit 1)',
    caught: {
      by: 'packages/backend/test/calls.test.ts',
      test: 'a call is answered with everyone who has its phone, and its transcript’s segments only by id',
    },
  },
  {
    breaks: 'an empty list tells which of its ids the clinic does not have',
    file: 'packages/backend/src/operations/unknown-ids.ts',
    from: '  return rows.length > 0\n',
    to: '  return rows.length >= 0\n',
    caught: {
      by: 'packages/backend/test/availability.test.ts',
      test: 'an unknown branch is 404, and an unknown provider has no slots and is told',
    },
  },
  {
    breaks: 'only unknown ids are told as unknown',
    file: 'packages/backend/src/operations/unknown-ids.ts',
    from: '  return rows.length > 0\n',
    to: '  return rows.length > 1\n',
    caught: {
      by: 'packages/backend/test/availability.test.ts',
      test: 'an unknown branch is 404, and an unknown provider has no slots and is told',
    },
  },
  {
    breaks: 'a key learns the day that it is at its clinic',
    file: 'packages/backend/src/operations/me.ts',
    from: 'zonedInstant(now(), time_zone, 0)',
    to: "zonedInstant(now(), 'UTC', 0)",
    caught: {
      by: 'packages/backend/test/catalog.test.ts',
      test: 'a key learns its scopes, its clinic and the day that it is there',
    },
  },
  {
    breaks: 'a catalog is in the order of names',
    file: 'packages/backend/src/operations/catalog.ts',
    from: 'const byName = sql`order by name collate "C", id`',
    to: 'const byName = sql`order by id`',
    caught: { by: 'packages/backend/test/catalog.test.ts', test: 'each catalog is the clinic’s whole list, by name' },
  },
  {
    breaks: 'the price of the catalog is in major units',
    file: 'packages/backend/src/operations/catalog.ts',
    from: 'price: majorUnits(price_thousandths) }',
    to: 'price: price_thousandths }',
    caught: { by: 'packages/backend/test/catalog.test.ts', test: 'each catalog is the clinic’s whole list, by name' },
  },
]
