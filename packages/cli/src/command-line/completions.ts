// Lists the possible next words of a command line. All three completion scripts ask here, so they know exactly the command table.
import { type CliCommand, type CliOption, globalOptions } from './command.ts'
import { commandTable, outline } from './command-table.ts'
import { shells } from './own-commands.ts'

/**
 * Returns the words that can replace the last one, which may be incomplete.
 *
 * @example completions(['patients', 'l']) // ['list']
 */
export function completions(words: readonly string[]): readonly string[] {
  const begun = words.at(-1) ?? ''
  const { path, options, awaits } = read(words.slice(0, -1))
  const candidates = awaits ? (awaits.choices ?? []) : begun.startsWith('-') ? flags(options) : next(path)
  return candidates.filter((word) => word.startsWith(begun))
}

interface Position {
  /** The words so far, without options. */
  readonly path: readonly string[]
  readonly options: readonly CliOption[]
  /** The option whose value comes next. */
  readonly awaits: CliOption | undefined
}

function read(words: readonly string[]): Position {
  const path: string[] = []
  let options: readonly CliOption[] = globalOptions
  let awaits: CliOption | undefined
  for (const word of words) {
    if (awaits) awaits = undefined
    else if (word.startsWith('-')) {
      const option = options.find(({ flag, short }) => word === `--${flag}` || word === `-${short}`)
      if (option && option.type !== 'switch') awaits = option
    } else {
      path.push(word)
      options = [...(commandAt(path)?.options ?? []), ...globalOptions]
    }
  }
  return { path, options, awaits }
}

/** Finds the command that the path begins with. The words after it are its arguments. */
function commandAt(path: readonly string[]): CliCommand | undefined {
  return commandTable().find((command) => command.path.every((word, i) => word === path[i]))
}

function flags(options: readonly CliOption[]): string[] {
  return [...options.flatMap(({ flag, short }) => [`--${flag}`, ...(short ? [`-${short}`] : [])]), '--help']
}

function next(path: readonly string[]): readonly string[] {
  if (commandAt(path)) return path.length === 1 && path[0] === 'completion' ? shells : []
  const below = outline.filter((command) => path.every((word, i) => word === command.path[i]))
  return [...new Set(below.flatMap((command) => command.path[path.length] ?? []))]
}
