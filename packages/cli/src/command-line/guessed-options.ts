// Options that people guess from other commands and programs, and which one is meant. Those that are close in letters the parser finds.

interface Guess {
  /** The command, or how all of them begin. */
  readonly path: readonly string[]
  readonly typed: readonly string[]
  readonly meant: string
}

const GUESSES: readonly Guess[] = [
  { path: [], typed: ['--json'], meant: '--format json' },
  { path: ['query'], typed: ['-d', '--dimension', '--dimensions', '--group-by'], meant: '-b' },
  { path: ['listen'], typed: ['--event-type', '--event-types', '--type', '--types'], meant: '--events' },
  { path: ['events', 'list'], typed: ['--events', '--type', '--types'], meant: '--event-types' },
]

/**
 * The option that is meant by one that the command does not have.
 *
 * @example meantOption(['query', 'treatments'], '-d') // '-b'
 */
export function meantOption(words: readonly string[], option: string): string | undefined {
  const isOf = ({ path }: Guess) => path.every((word, at) => word === words[at])
  return GUESSES.find((guess) => isOf(guess) && guess.typed.includes(option))?.meant
}
