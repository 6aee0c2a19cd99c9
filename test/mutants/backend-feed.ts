// Mutants of the backend: free slots and the event feed.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a rest as long as the visit is offered',
    file: 'packages/backend/src/operations/availability.ts',
    from: 'where upper(free) - lower(free) >= ${visit}',
    to: 'where upper(free) - lower(free) > ${visit}',
    caught: {
      by: 'packages/backend/test/availability.test.ts',
      test: 'nothing is free before the next step after now, in past days, or in a rest shorter than a visit',
    },
  },
  {
    breaks: 'time off at one branch takes no time at another',
    file: 'packages/backend/src/operations/availability.ts',
    from: '\n            and (t.branch_id is null or t.branch_id = p.branch_id)',
    to: '',
    caught: {
      by: 'packages/backend/test/availability.test.ts',
      test: 'time off of another provider, or at another branch, takes no time, and time off of everyone does',
    },
  },
  {
    breaks: 'time off of one provider takes no time of another',
    file: 'packages/backend/src/operations/availability.ts',
    from: '\n            and (t.provider_id is null or t.provider_id = p.provider_id)',
    to: '',
    caught: {
      by: 'packages/backend/test/availability.test.ts',
      test: 'time off of another provider, or at another branch, takes no time, and time off of everyone does',
    },
  },
  {
    breaks: 'a cancelled appointment takes no time',
    file: 'packages/backend/src/operations/availability.ts',
    from: '= p.provider_id and ap.busy\n            and ap."end" > span',
    to: '= p.provider_id\n            and ap."end" > span',
    caught: {
      by: 'packages/backend/test/availability.test.ts',
      test: 'an appointment at another branch takes its provider’s time here, a cancelled one does not',
    },
  },
  {
    breaks: 'nothing is offered before the next step of the clock',
    file: 'packages/backend/src/operations/availability.ts',
    from: 'tstzrange(greatest(day.begins, earliest.start), greatest(day.ends',
    to: 'tstzrange(day.begins, greatest(day.ends',
    caught: {
      by: 'packages/backend/test/availability.test.ts',
      test: "an appointment without an end takes its type's duration, or else the shortest visit",
    },
  },
  {
    breaks: "the step of slots is of the clinic's clock, not of UTC",
    file: 'packages/backend/src/operations/availability.ts',
    from: 'extract(epoch from ${now}::timestamptz::timestamp)',
    to: 'extract(epoch from ${now}::timestamptz)',
    caught: {
      by: 'packages/backend/test/availability.test.ts',
      test: "the step of slots is of the clinic's clock, also in zones that are no whole hour from UTC",
    },
  },
  {
    breaks: 'the shortest visit of the clinic is never undercut',
    file: 'packages/backend/src/operations/availability.ts',
    from: 'Math.max(min_visit_minutes, duration_minutes)',
    to: 'duration_minutes || min_visit_minutes',
    caught: {
      by: 'packages/backend/test/availability.test.ts',
      test: 'a length leaves only the windows that hold it, up to a whole day; the shortest visit is never undercut',
    },
  },
  {
    breaks: 'the latest start leaves time for the whole visit',
    file: 'packages/backend/src/operations/availability.ts',
    from: 'upper(free) - ${visit} as latest_start',
    to: 'upper(free) as latest_start',
    caught: {
      by: 'packages/backend/test/availability.test.ts',
      test: 'working hours may end at 24:00, and no slot reaches across midnight',
    },
  },
  {
    breaks: 'the slots of an unknown branch are a 404',
    file: 'packages/backend/src/operations/availability.ts',
    from: "if (missing !== undefined) throw notFound('branch', missing, ' The catalog of branches lists them.')",
    to: 'void missing',
    caught: {
      by: 'packages/backend/test/availability.test.ts',
      test: 'an unknown branch is 404, and an unknown provider has no slots and is told',
    },
  },
  {
    breaks: 'an appointment without an end takes the duration of its type, or the shortest visit',
    file: 'packages/records/src/resources/estimated-end.ts',
    from: 'nullif(type.duration_minutes, 0)',
    to: 'type.duration_minutes',
    caught: {
      by: 'packages/backend/test/availability.test.ts',
      test: "an appointment without an end takes its type's duration, or else the shortest visit",
    },
  },
  {
    breaks: 'the feed is in the order of its counter',
    file: 'packages/backend/src/operations/events.ts',
    from: '        order by position limit ${most}) found\n      order by position`',
    to: '        order by id limit ${most}) found\n      order by bytes`',
    caught: {
      by: 'packages/backend/test/events.test.ts',
      test: 'a walk with pages of any size shows every event in the order of the counter',
    },
  },
  {
    breaks: 'a page of the feed ends before it is too large for the port',
    file: 'packages/backend/src/operations/events.ts',
    from: 'const MOST_BYTES = 4 * 1024 * 1024',
    to: 'const MOST_BYTES = 1024 * 1024 * 1024',
    caught: {
      by: 'packages/backend/test/large-events.test.ts',
      test: 'a page of large events is smaller than what the port carries, and the walk shows each event once',
    },
  },
  {
    breaks: 'since includes the event at its instant',
    file: 'packages/backend/src/operations/events.ts',
    from: 'and created_at >= ${since} and position',
    to: 'and created_at > ${since} and position',
    caught: {
      by: 'packages/backend/test/events.test.ts',
      test: 'chat events are only for keys that may read chats, and refused when they are named',
    },
  },
  {
    breaks: 'all events of one time come after since',
    file: 'packages/backend/src/operations/events.ts',
    from: 'select min(position + 0)',
    to: 'select max(position + 0)',
    caught: {
      by: 'packages/backend/test/events.test.ts',
      test: 'since begins with the first event at or after it, even if the clock was set back',
    },
  },
  {
    breaks: 'a cursor from before the events that are kept is refused',
    file: 'packages/backend/src/operations/events.ts',
    from: '(place.position < last && row?.is_kept !== true) || ',
    to: '',
    caught: {
      by: 'packages/backend/test/events.test.ts',
      test: 'a cursor whose next events are no longer kept is refused with a reason, and the last cursor never is',
    },
  },
  {
    breaks: 'a cursor from beyond the end of the feed is refused',
    file: 'packages/backend/src/operations/events.ts',
    from: '    if (place.position > last) throw expired()\n',
    to: '',
    caught: {
      by: 'packages/backend/test/events.test.ts',
      test: 'a cursor whose next events are no longer kept is refused with a reason, and the last cursor never is',
    },
  },
  {
    breaks: 'a key that may not read chats sees no chat event',
    file: 'packages/backend/src/operations/events.ts',
    from: 'const types = wantedTypes(grant, named)',
    to: 'const types = named ?? []',
    caught: {
      by: 'packages/backend/test/events.test.ts',
      test: 'chat events are only for keys that may read chats, and refused when they are named',
    },
  },
  {
    breaks: 'naming a chat event needs the scope that reads chats',
    file: 'packages/backend/src/operations/events.ts',
    from: '      requireNamedTypes(grant, named)\n',
    to: '',
    caught: {
      by: 'packages/backend/test/events.test.ts',
      test: 'chat events are only for keys that may read chats, and refused when they are named',
    },
  },
  {
    breaks: 'an event between the look-ups of since and of the end is not skipped',
    file: 'packages/backend/src/operations/events.ts',
    from: '      const { last, last_at } = await feed.last(resumed)\n      const begun = resumed !== null || since === undefined ? resumed : await feed.placeBefore(since)\n',
    to: '      const begun = resumed !== null || since === undefined ? resumed : await feed.placeBefore(since)\n      const { last, last_at } = await feed.last(resumed)\n',
    caught: {
      by: 'packages/backend/test/events.test.ts',
      test: 'an event during the look-up of since appears then or after the resume',
    },
  },
  {
    breaks: 'a page without a match keeps its position',
    file: 'packages/backend/src/operations/events.ts',
    from: 'const resume = [String(position), position',
    to: 'const resume = [String(start.position), position',
    caught: {
      by: 'packages/backend/test/events.test.ts',
      test: 'a cursor whose next events are no longer kept is refused with a reason, and the last cursor never is',
    },
  },
  {
    breaks: 'a cursor at the end is looked at where a restore may have taken its event back',
    file: 'packages/backend/src/operations/events.ts',
    from: '(last_at !== null && new Date(last_at) <= latestAt(place))',
    to: 'last_at !== null',
    caught: {
      by: 'packages/backend/test/events.test.ts',
      test: 'a cursor of what a restore has taken back is refused, also when the feed has gone past it since',
    },
  },
  {
    breaks: 'a look at the end of the feed reads no events',
    file: 'packages/backend/src/operations/events.ts',
    from: 'if (place !== null && !isEnd(place, last, last_at))',
    to: 'if (place !== null)',
    caught: {
      by: 'packages/backend/test/events.test.ts',
      test: 'a look at the end of the feed reads the counter alone',
    },
  },
  {
    breaks: 'a cursor of what a restore has taken back is refused when the feed has gone past it',
    file: 'packages/backend/src/operations/events.ts',
    from: ' || row?.is_counted_anew === true) throw',
    to: ') throw',
    caught: {
      by: 'packages/backend/test/events.test.ts',
      test: 'a cursor of what a restore has taken back is refused, also when the feed has gone past it since',
    },
  },
  {
    breaks: 'a cursor from where the search stopped is not taken for one of before a restore',
    file: 'packages/backend/src/operations/events.ts',
    from: 'await feed.timeOf({ position, at: start.at }) : at]',
    to: 'start.at : at]',
    caught: {
      by: 'packages/backend/test/events.test.ts',
      test: 'a page that ends where one request stops to search has the time of its place, and is gone on with',
    },
  },
]
