// Mutants of `sc` at a terminal: the pager, and the word of a newer version.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a guessed option is answered with the one of its command',
    file: 'packages/cli/src/command-line/guessed-options.ts',
    from: 'isOf(guess) && guess.typed',
    to: 'guess.typed',
    caught: {
      by: 'test/sc-hands.test.ts',
      test: 'a guessed option is answered with the one that the command has',
    },
  },
  {
    breaks: 'nothing that goes to a pipe is paged',
    file: 'packages/cli/src/output/paged.ts',
    from: "format === 'table' && stdout.isTerminal && rows > 0",
    to: "format === 'table' && rows > 0",
    caught: { by: 'test/sc-at-a-terminal.test.ts', test: 'a short table, JSON, CSV and a pipe have no pager' },
  },
  {
    breaks: 'sc waits until its reader has left the pager',
    file: 'packages/cli/src/output/paged.ts',
    from: '    await pager?.end()\n',
    to: '',
    caught: {
      by: 'test/sc-at-a-terminal.test.ts',
      test: 'a table that is longer than the terminal is in the pager, whole and in order, and sc waits until it is left',
    },
  },
  {
    breaks: 'a newer sc is looked for at most once a day',
    file: 'packages/cli/src/output/upgrade-notice.ts',
    from: 'today - (await lastLook(file, today)) < DAY_MS',
    to: 'today - (await lastLook(file, today)) < 0',
    caught: {
      by: 'test/sc-at-a-terminal.test.ts',
      test: 'a newer sc is told behind the answer, once a day, and the service is asked without a key',
    },
  },
  {
    breaks: 'no newer sc is looked for in CI, or where it is switched off',
    file: 'packages/cli/src/output/upgrade-notice.ts',
    from: " || format !== 'table' || !environment.tellsUpgrades",
    to: " || format !== 'table'",
    caught: { by: 'test/sc-at-a-terminal.test.ts' },
  },
  {
    breaks: 'sc refuses a field that the answer will leave out',
    file: 'packages/cli/src/output/columns.ts',
    from: 'columnsIn(command, name).every((column) => detailed.has(column))',
    to: 'columnsIn(command, name).every((column) => !detailed.has(column))',
    caught: { by: 'test/sc-hands.test.ts' },
  },
]
