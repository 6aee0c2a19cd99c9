// Turns what people type by habit into the words of the command table: `help <command>`, `version`, and aliases.
import { globalOptions } from './command.ts'
import { outline } from './command-table.ts'

/**
 * Returns the words as the table spells them.
 *
 * @example usualWords(['help', 'availability', 'list']) // ['availability', '--help']
 */
export function usualWords(words: readonly string[]): readonly string[] {
  const at = firstOf(words)
  const [options, rest] = [words.slice(0, at), words.slice(at)]
  if (rest[0] === 'help') {
    const meant = rest.slice(1)
    const isKnown = meant.length === 0 || outline.some(({ path }) => path[0] === meant[0])
    // Without `--help`, an unknown word is reported together with what may have been meant.
    return usualWords([...options, ...meant, ...(isKnown ? ['--help'] : [])])
  }
  if (rest[0] === 'version' && rest.length === 1) return [...options, '--version']
  const begins = (path: readonly string[]) => path.every((word, i) => word === rest[i])
  for (const { path, aliases } of outline) {
    const alias = aliases.find(begins)
    if (alias) return [...options, ...path, ...rest.slice(alias.length)]
  }
  return words
}

/**
 * The line that shows how to call what the words begin.
 *
 * @example helpLine(['patients', 'get']) // 'sc patients get --help'
 */
export function helpLine(typed: readonly string[]): string {
  const rest = commandIn(typed)
  const reached = outline.map(({ path }) => {
    const other = path.findIndex((word, i) => word !== rest[i])
    return path.slice(0, other === -1 ? path.length : other)
  })
  const longest = reached.reduce((most, path) => (path.length > most.length ? path : most), [])
  return ['sc', ...longest, '--help'].join(' ')
}

/** The words from the command on. */
export function commandIn(typed: readonly string[]): readonly string[] {
  const words = usualWords(typed)
  return words.slice(firstOf(words))
}

/** The place of the first word that is neither a global option nor its value. */
function firstOf(words: readonly string[]): number {
  const isValued = (word: string) => globalOptions.some(({ flag, type }) => word === `--${flag}` && type !== 'switch')
  let at = 0
  while (words[at]?.startsWith('-')) at += isValued(words[at] ?? '') ? 2 : 1
  return at
}
