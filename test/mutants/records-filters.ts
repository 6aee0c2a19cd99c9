// Mutants of the backend: filters, periods and searches of lists.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'the payments of one method are also those that changed since an instant',
    file: 'packages/backend/src/handling/list.ts',
    from: 'if (isPresent(value)) where',
    to: "if (isPresent(value) && (filter !== 'method_type' || query.updated_since === undefined)) where",
    caught: {
      by: 'packages/backend/test/updated-since.test.ts',
      test: 'payments.search: each filter narrows what has changed since an instant',
    },
  },
  {
    breaks: 'a period narrows the payments that changed since an instant',
    file: 'packages/backend/src/handling/list.ts',
    from: '  where.push(...within(own.sort, query))\n',
    to: '  if (query.updated_since === undefined) where.push(...within(own.sort, query))\n',
    caught: {
      by: 'packages/backend/test/updated-since.test.ts',
      test: 'payments.list: each filter narrows what has changed since an instant',
    },
  },
  {
    breaks: 'the calls with a recording are also those that changed since an instant',
    file: 'packages/backend/src/handling/list.ts',
    from: 'if (isPresent(value)) where',
    to: "if (isPresent(value) && (filter !== 'has_recording' || query.updated_since === undefined)) where",
    caught: {
      by: 'packages/backend/test/updated-since.test.ts',
      test: 'calls.list: each filter narrows what has changed since an instant',
    },
  },
  {
    breaks: 'the messages of one type are also those that changed since an instant',
    file: 'packages/backend/src/handling/list.ts',
    from: 'if (isPresent(value)) where',
    to: "if (isPresent(value) && (filter !== 'type' || query.updated_since === undefined)) where",
    caught: {
      by: 'packages/backend/test/updated-since.test.ts',
      test: 'chat.messages.list: each filter narrows what has changed since an instant',
    },
  },
  {
    breaks: '`to` includes its instant',
    file: 'packages/records/src/filters/period.ts',
    from: 'sql`${column} <= ${at(to)}`',
    to: 'sql`${column} < ${at(to)}`',
    caught: {
      by: 'packages/backend/test/appointments.test.ts',
      test: 'from and to are inclusive, as instants and as whole local days, and leave out appointments without a start',
    },
  },
  {
    breaks: '`to` includes its whole day',
    file: 'packages/records/src/filters/period.ts',
    from: 'firstInstant(sql`${to}::date + 1`)',
    to: 'firstInstant(sql`${to}::date`)',
    caught: {
      by: 'packages/backend/test/appointments.test.ts',
      test: 'a day that begins twice begins the first time, and one without a midnight begins after it',
    },
  },
  {
    breaks: '`from` includes its instant',
    file: 'packages/records/src/filters/period.ts',
    from: 'sql`${column} >= ${DAY',
    to: 'sql`${column} > ${DAY',
    caught: {
      by: 'packages/backend/test/appointments.test.ts',
      test: 'a day that begins twice begins the first time, and one without a midnight begins after it',
    },
  },
  {
    breaks: 'a row without the time belongs to no period',
    file: 'packages/records/src/filters/period.ts',
    from: "bounds.push(sql`${column} < 'infinity'`)",
    to: 'bounds.push(sql`true`)',
    caught: {
      by: 'packages/backend/test/appointments.test.ts',
      test: 'from and to are inclusive, as instants and as whole local days, and leave out appointments without a start',
    },
  },
  {
    breaks: '`updated_since` includes its instant',
    file: 'packages/records/src/filters/period.ts',
    from: 'return sql`${column} >= ${at(updated_since)}`',
    to: 'return sql`${column} > ${at(updated_since)}`',
    caught: {
      by: 'packages/backend/test/appointments.test.ts',
      test: 'updated_since is inclusive and puts the oldest change first',
    },
  },
  {
    breaks: 'a day that begins twice begins the first time',
    file: 'packages/records/src/filters/period.ts',
    from: "return sql`least((${day})::timestamptz, ((${day}) - 1 + time '23:59:59')::timestamptz + interval '1 second')`",
    to: 'return sql`(${day})::timestamptz`',
    caught: {
      by: 'packages/backend/test/appointments.test.ts',
      test: 'a day that begins twice begins the first time, and one without a midnight begins after it',
    },
  },
  {
    breaks: 'the plus of an offset that arrived as a space is still read',
    file: 'packages/records/src/filters/period.ts',
    from: "instant.replace(' ', '+')",
    to: "instant.replace(' ', '-')",
    caught: {
      by: 'packages/backend/test/appointments.test.ts',
      test: 'from and to are inclusive, as instants and as whole local days, and leave out appointments without a start',
    },
  },
  {
    breaks: 'a name search answers each patient once',
    file: 'packages/records/src/lists/patient-names.ts',
    from: 'range, isFirst, ...where]',
    to: 'range, ...where]',
    caught: {
      by: 'packages/backend/test/patients.test.ts',
      test: 'each word begins a part of the name, in any order, and case, accents, points and hyphens do not matter',
    },
  },
  {
    breaks: 'an email in any case finds its patient',
    file: 'packages/records/src/lists/patients.ts',
    from: "contacts.push(['email', foldEmail(email)])",
    to: "contacts.push(['email', email])",
    caught: {
      by: 'packages/backend/test/patients.test.ts',
      test: 'a phone in any form finds everyone who has it, and an email in any case',
    },
  },
  {
    breaks: 'a phone and an email narrow one another',
    file: 'packages/records/src/lists/patient-names.ts',
    from: 'where: [...where, ...among(others)], order: byName',
    to: 'where, order: byName',
    caught: { by: 'packages/backend/test/patients.test.ts', test: 'a name, a phone and an email narrow one another' },
  },
  {
    breaks: 'each word of a search begins a part of the name',
    file: 'packages/records/src/filters/name-search.ts',
    from: "strpos(' ' || ${column}, ${` ${word}`})",
    to: 'strpos(${column}, ${word})',
    caught: {
      by: 'packages/backend/test/patients.test.ts',
      test: 'a third word of a search begins a part of the name, like the first two',
    },
  },
  {
    breaks: 'a word longer than a key is compared whole',
    file: 'packages/records/src/filters/name-search.ts',
    from: 'others.includes(word) || word.length > NAME_PART_LENGTH',
    to: 'others.includes(word)',
    caught: { by: 'packages/backend/test/patients.test.ts', test: 'a word longer than a key holds is compared whole' },
  },
  {
    breaks: 'a third word of a search narrows it',
    file: 'packages/records/src/filters/name-search.ts',
    from: 'others.includes(word) || word.length',
    to: 'word.length',
    caught: {
      by: 'packages/backend/test/patients.test.ts',
      test: 'a third word of a search begins a part of the name, like the first two',
    },
  },
  {
    breaks: 'a search by two words finds longer names that begin with the first one',
    file: 'packages/records/src/filters/name-search.ts',
    from: 'pairRanges(begins, namePart(second), true)',
    to: 'pairRanges(begins, namePart(second), false)',
    caught: {
      by: 'packages/backend/test/patients.test.ts',
      test: 'each word begins a part of the name, in any order, and case, accents, points and hyphens do not matter',
    },
  },
  {
    breaks: 'a search by two words reads no pairs of the first one with others',
    file: 'packages/records/src/filters/pair-ranges.ts',
    from: "const whole = { low, high: low + LAST_CHARACTER, second: '' }",
    to: 'const whole = { low: first, high: first + LAST_CHARACTER, second }',
    caught: { by: 'packages/backend/test/plans.test.ts', test: 'a search by two words reads the pairs of both' },
  },
  {
    breaks: 'a search without a letter or digit is refused',
    file: 'packages/records/src/filters/name-search.ts',
    from: "if (lead === '') throw nothingToSearchBy()",
    to: '',
    caught: {
      by: 'packages/backend/test/patients.test.ts',
      test: 'each word begins a part of the name, in any order, and case, accents, points and hyphens do not matter',
    },
  },
  {
    breaks: 'those found by sound come behind those found as written',
    file: 'packages/records/src/lists/patient-names.ts',
    from: "const BEHIND_KEYS = '\\u{10ffff}'",
    to: "const BEHIND_KEYS = ' '",
    caught: {
      by: 'packages/backend/test/patients-by-sound.test.ts',
      test: 'a name that is written so hides those of its script that sound so, whoever the other filters keep',
    },
  },
  {
    breaks: 'a name that is written so hides those of its script that sound so',
    file: 'packages/records/src/filters/heard-names.ts',
    from: 'words.every(isHeardWhole) ? unwritten :',
    to: 'words.every(isHeardWhole) ? sql`true` :',
    caught: {
      by: 'packages/backend/test/patients-by-sound.test.ts',
      test: 'beside a name that is written so, a sound finds in other scripts only, and of a short one the whole part',
    },
  },
  {
    breaks: 'a name that is written as two words of three hides none that sounds like all three',
    file: 'packages/records/src/filters/name-search.ts',
    from: 'isInRange(sql`written.key`, sql`range`), ...narrowed(folded)]',
    to: 'isInRange(sql`written.key`, sql`range`)]',
    caught: {
      by: 'packages/backend/test/patients-by-sound.test.ts',
      test: 'where no name is written so, one of the same script that sounds so is found',
    },
  },
  {
    breaks: 'a short sound finds the whole part alone',
    file: 'packages/records/src/filters/heard-names.ts',
    from: 'const SHORTEST_BEGINNING = 3',
    to: 'const SHORTEST_BEGINNING = 1',
    caught: {
      by: 'packages/backend/test/patients-by-sound.test.ts',
      test: 'beside a name that is written so, a sound finds in other scripts only, and of a short one the whole part',
    },
  },
  {
    breaks: 'the filling of sounds goes on until no key is without one',
    file: 'packages/backend/src/name-sounds.ts',
    from: 'if (last === undefined) return filled',
    to: 'if (last === undefined || seen.length === FILLED_AT_ONCE) return filled',
    caught: {
      by: 'packages/backend/test/name-sounds.test.ts',
      test: 'more keys than one transaction fills are all filled',
    },
  },
  {
    breaks: 'the owner’s round sees only the names that have no sound',
    file: 'packages/backend/migrations/0086_unheard_names.sql',
    from: 'using (sound is null and ',
    to: 'using (',
    caught: { by: 'packages/server/test/plain-owner-18.test.ts', test: 'PostgreSQL 18' },
  },
  {
    breaks: 'sounds are looked for only when the names as they are written do not fill a page',
    file: 'packages/records/src/lists/patients.ts',
    from: '    if (found.length > limit) break\n',
    to: '',
    caught: {
      by: 'packages/backend/test/plans.test.ts',
      test: 'a page that names fill as they are written asks for no sounds',
    },
  },
]
