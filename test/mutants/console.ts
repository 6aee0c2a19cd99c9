// Mutants of what the console's page decides by itself. Its walks in a browser are not asked.
import type { Mutant } from './mutant.ts'

const OWN_FILES_GONE = 'a page whose files are gone loads itself again, once, and after that says so'

export const mutants: readonly Mutant[] = [
  {
    breaks: "a time that is typed around a change of the clock is the clinic's",
    file: 'packages/console/src/webhooks/clinic-instant.ts',
    from: 'new Date(asUtc - offsetAt(first, timeZone))',
    to: 'new Date(first)',
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'a time that is typed is the clinic’s, also in the hours around a change of its clock',
    },
  },
  {
    breaks: 'last month ends with its own last day',
    file: 'packages/console/src/explore/days.ts',
    from: 'to: daysLater(monthsLater(now, 0), -1) })',
    to: 'to: monthsLater(now, 0) })',
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'each named range has its days, the last one today, and is found again by them',
    },
  },
  {
    breaks: 'a week is seven days with today',
    file: 'packages/console/src/explore/days.ts',
    from: 'from: daysLater(now, -6), to',
    to: 'from: daysLater(now, -7), to',
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'each named range has its days, the last one today, and is found again by them',
    },
  },
  {
    breaks: 'a quarter is three months',
    file: 'packages/console/src/explore/days.ts',
    from: 'quarter: 3, year',
    to: 'quarter: 4, year',
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'a period is followed by the next one of its length',
    },
  },
  {
    breaks: 'no text in the CSV is a formula, also behind blanks',
    file: 'packages/contract/src/values/spreadsheet-cell.ts',
    from: 'FORMULA = /^[\\s\\p{Cc}]*[=+',
    to: 'FORMULA = /^[=+',
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'no text in the CSV is a formula, and numbers stay numbers',
    },
  },
  {
    breaks: 'no part of a text in the CSV is a formula where ; takes lines apart',
    file: 'packages/contract/src/values/spreadsheet-cell.ts',
    from: '(?<=[;',
    to: '(?<=[',
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'no part of a text in the CSV becomes a formula in a spreadsheet that takes lines apart at ; or tabs',
    },
  },
  {
    breaks: 'a quote in a cell of the CSV does not end the cell',
    file: 'packages/contract/src/values/spreadsheet-cell.ts',
    from: "text.replaceAll('\"', '\"\"')",
    to: 'text',
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'no text in the CSV is a formula, and numbers stay numbers',
    },
  },
  {
    breaks: 'negative numbers in the CSV stay numbers',
    file: 'packages/contract/src/values/spreadsheet-cell.ts',
    from: "if (typeof value !== 'string') return String(value)",
    to: "if (typeof value !== 'string') return spreadsheetCell(String(value))",
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'no text in the CSV is a formula, and numbers stay numbers',
    },
  },
  {
    breaks: 'a quote in a line for a shell does not end its word',
    file: 'packages/contract/src/projections/question-lines.ts',
    from: "text.replaceAll(\"'\", `'\\\\''`)",
    to: "text.replace(\"'\", `'\\\\''`)",
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'a text in a line for a shell is one word, and runs nothing',
    },
  },
  {
    breaks: 'an empty value in a line for a shell is a word',
    file: 'packages/contract/src/projections/question-lines.ts',
    from: '/^[\\w@%+=:,./-]+$/',
    to: '/^[\\w@%+=:,./-]*$/',
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'a text in a line for a shell is one word, and runs nothing',
    },
  },
  {
    breaks: 'a line for a shell holds no character that steers the terminal or turns its text',
    file: 'packages/contract/src/projections/question-lines.ts',
    from: 'shellWord(safeJson(JSON.stringify(value)))',
    to: 'shellWord(JSON.stringify(value))',
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'a line for a shell holds no character that steers the terminal or turns its text',
    },
  },
  {
    breaks: 'a value that the short forms of sc would read otherwise is sent as JSON',
    file: 'packages/contract/src/projections/question-lines.ts',
    from: '!filters.flatMap(({ value }) => value).every(isPlain)',
    to: '!filters.flatMap(({ value }) => value).some(isPlain)',
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'a line of sc uses its short forms only where they say the same',
    },
  },
  {
    breaks: 'an address holds the values of a condition whole',
    file: 'packages/console/src/explore/question.ts',
    from: 'values.map(encodeURIComponent)',
    to: 'values.map(encodeURI)',
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'an address holds its question whole, also with values that hold its marks',
    },
  },
  {
    breaks: 'an address that cannot be read breaks no page',
    file: 'packages/console/src/explore/question.ts',
    from: '  } catch {\n    return []',
    to: '  } catch (error) {\n    throw error',
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'an address holds its question whole, also with values that hold its marks',
    },
  },
  {
    breaks: 'a condition that is being written is not asked',
    file: 'packages/console/src/explore/question.ts',
    from: '...question.where.filter(isWhole).map(filterOf)]',
    to: '...question.where.map(filterOf)]',
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'a question asks for its days and its whole conditions',
    },
  },
  {
    breaks: 'an open end of the range stays open',
    file: 'packages/console/src/explore/question.ts',
    from: "if (from !== '' && to !== '') return",
    to: "if (from !== '' || to !== '') return",
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'a question asks for its days and its whole conditions',
    },
  },
  {
    breaks: 'an expired key is not shown as working',
    file: 'packages/console/src/keys/key-state.ts',
    from: 'Date.parse(expires_at) > now',
    to: 'Date.parse(expires_at) >= now',
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'a key that has a newer one beside it is being replaced, and one that ended or is stopped says so',
    },
  },
  {
    breaks: 'a key that has a newer one beside it is shown as replaced',
    file: 'packages/console/src/keys/key-state.ts',
    from: ' && !newest.has(key.name)) newest',
    to: ') newest',
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'a key that has a newer one beside it is being replaced, and one that ended or is stopped says so',
    },
  },
  {
    breaks: 'the key of an agent does not read conversations',
    file: 'packages/contract/src/usual-scopes.ts',
    from: "scope !== 'chat:read' && scope !== 'calls:read'",
    to: "scope !== 'chat:read'",
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'an agent’s key neither reads conversations nor writes, and a preset is found by exactly its permissions',
    },
  },
  {
    breaks: 'a preset is one by exactly its permissions',
    file: 'packages/contract/src/usual-scopes.ts',
    from: 'held?.length === scopes.length && held.every(',
    to: 'held?.every(',
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'an agent’s key neither reads conversations nor writes, and a preset is found by exactly its permissions',
    },
  },
  {
    breaks: 'a value in a path stays within its part of the path',
    file: 'packages/console-parts/src/requests/ask.ts',
    from: "encodeURIComponent(params[name] ?? '')",
    to: "encodeURI(params[name] ?? '')",
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'a value in a path stays within its part of the path, and an empty one of the query is left out',
    },
  },
  {
    breaks: 'a refusal is not repeated',
    file: 'packages/console-parts/src/requests/refusal.ts',
    from: 'error.status >= 500',
    to: 'error.status >= 409',
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'a request is repeated after a lost connection or a fault of the service, and not after a refusal',
    },
  },
  {
    breaks: 'an answer that is no problem is a refusal too',
    file: 'packages/console-parts/src/requests/refusal.ts',
    from: 'await answer.json().catch(() => ({}))',
    to: 'await answer.json()',
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'a request is repeated after a lost connection or a fault of the service, and not after a refusal',
    },
  },
  {
    breaks: 'a dialog that makes a key is held until it has shown it',
    file: 'packages/console/src/keys/mint-form.tsx',
    from: 'useHeld(sent.isPending)',
    to: 'useHeld(false)',
    caught: {
      by: 'test/console/held-dialogs.test.ts',
      test: 'the dialog that makes a key cannot be closed before it has shown it',
    },
  },
  {
    breaks: 'a dialog that makes a token is held until it has shown it',
    file: 'packages/console/src/clinic/mint-token-dialog.tsx',
    from: 'useHeld(isPending)',
    to: 'useHeld(false)',
    caught: {
      by: 'test/console/held-dialogs.test.ts',
      test: 'the dialog that makes an ingest token cannot be closed before it has shown it',
    },
  },
  {
    breaks: 'a dialog that makes a webhook is held until it has shown its secret',
    file: 'packages/console/src/webhooks/create-dialog.tsx',
    from: 'useHeld(sent.isPending)',
    to: 'useHeld(false)',
    caught: {
      by: 'test/console/held-dialogs.test.ts',
      test: 'the dialog that makes a webhook cannot be closed before it has shown it',
    },
  },
  {
    breaks: 'a dialog that makes a new secret is held until it has shown it',
    file: 'packages/console/src/webhooks/small-dialogs.tsx',
    from: 'isMinting && sent.isPending',
    to: 'isMinting && sent.isSuccess',
    caught: {
      by: 'test/console/held-dialogs.test.ts',
      test: 'the dialog that makes a new secret cannot be closed before it has shown it',
    },
  },
  {
    breaks: 'a page of an earlier version loads itself again',
    file: 'packages/console-parts/src/shown/load-again.ts',
    from: '  location.reload()\n',
    to: '',
    caught: { by: 'test/console/trouble.test.ts', test: OWN_FILES_GONE },
  },
  {
    breaks: 'a page that fails again at once does not load itself for ever',
    file: 'packages/console-parts/src/shown/load-again.ts',
    from: 'elapsed < SOON_MS',
    to: 'elapsed < 0',
    caught: { by: 'test/console/trouble.test.ts', test: OWN_FILES_GONE },
  },
  {
    breaks: 'a page does not give way to that of the browser in an outage',
    file: 'packages/console-parts/src/shown/load-again.ts',
    from: '  if (!answer?.ok) return\n',
    to: '',
    caught: {
      by: 'test/console/trouble.test.ts',
      test: 'a page whose files do not come in an outage stays, and says so',
    },
  },
  {
    breaks: 'only a page without its code loads itself again',
    file: 'packages/console-parts/src/shown/broken-page.tsx',
    from: '    if (isCodeMissing) void',
    to: '    if (!isCodeMissing || isCodeMissing) void',
    caught: {
      by: 'test/console/trouble.test.ts',
      test: 'a page that fails with what it was answered says so, and loads nothing anew',
    },
  },
]
