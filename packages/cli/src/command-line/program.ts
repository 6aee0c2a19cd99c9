// The command tree as commander parses it. Builds in full only the commands whose words are in the call.
import { datedNear } from '@clinic-data/contract/example-dates'
import { Command, CommanderError, Option } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { exitCodeMeanings } from '../exit-codes.ts'
import { type CliCommand, type CliOption, globalOptions } from './command.ts'
import { commandTable, outline } from './command-table.ts'
import { groups } from './groups.ts'
import type { Outlined } from './projected-commands.ts'
import type { Typed } from './request-of.ts'
import { usualWords } from './usual-words.ts'

/** The parsed call. */
export interface Call extends Typed {
  readonly command: CliCommand
}

/** The call, or the help or version that was asked for, or help when the words only begin a command. */
export type Parsed = { readonly call: Call } | { readonly text: string } | { readonly help: string }

export interface ParseOptions {
  /** The width of the help. */
  readonly columns: number
}

export { CommanderError }

/** A narrower column of descriptions is left to the terminal, which breaks words. Long names of options leave 32 of 80. */
const LEAST_COLUMN = 20

/**
 * Reads the words after `sc`.
 *
 * @throws CommanderError when the words are not a call
 */
export function parse(typed: readonly string[], { columns }: ParseOptions): Parsed {
  const words = usualWords(typed)
  let call: Call | null = null
  const texts: string[] = []
  const keep = (text: string) => void texts.push(text)
  const program = new Command('sc')
    .exitOverride()
    .configureHelp({ minWidthToWrap: LEAST_COLUMN })
    .configureOutput({
      writeOut: keep,
      writeErr: keep,
      getOutHelpWidth: () => columns,
      getErrHelpWidth: () => columns,
      getOutHasColors: () => false,
    })
  addCommands(program, words, (made) => {
    call = made
  })
  try {
    program.parse(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0 || words.length === 0) return { text: texts.join('') }
    if (error.code === 'commander.help') return { help: texts.join('') }
    throw error
  }
  if (call === null) throw new Error('commander found neither a command nor a fault')
  return { call }
}

const EXIT_CODES = Object.entries(exitCodeMeanings)
  .map(([code, meaning]) => `  ${code.padEnd(3)}  ${meaning}`)
  .join('\n')

const AFTER_HELP = `
Exit codes:
${EXIT_CODES}

sc <command> --help shows the options and examples of a command.
A newer sc comes from the service: npm install --global "$SC_BASE_URL/packages/sc.tgz"`

/** Behind the help of each command: in full they would push its own options out of the terminal. */
const GLOBAL_OPTIONS = `
Global options, which sc --help explains:
  ${globalOptions.map(({ flag }) => `--${flag}`).join(', ')}`

/** A command inherits only the settings made before it is added. */
function addCommands(program: Command, words: readonly string[], found: (call: Call) => void): void {
  program
    .description(manifest.description)
    .version(manifest.version, '-v, --version', 'Show the version.')
    .helpOption('-h, --help', 'Show what a command does and how to call it.')
    .helpCommand(false)
    .addHelpText('after', AFTER_HELP)
  for (const option of globalOptions) program.addOption(optionOf(option))
  const isMeant = ({ path }: Outlined) => words.includes(path[0] ?? '')
  for (const { path, summary } of outline.filter((one) => !isMeant(one))) {
    if (path.length > 1) groupIn(program, path[0] ?? '')
    else program.command(path[0] ?? '').summary(summary)
  }
  if (!outline.some(isMeant)) return
  for (const command of commandTable().filter(isMeant)) {
    const parent = command.path.slice(0, -1).reduce(groupIn, program)
    fill(parent.command(command.path.at(-1) ?? '').summary(command.summary), command, program, found)
  }
}

/** The group of a command, such as `patients` in `sc patients list`, made at its first use. */
function groupIn(parent: Command, word: string): Command {
  const known = parent.commands.find((command) => command.name() === word)
  if (known) return known
  const path = [...pathOf(parent), word].join(' ')
  return parent
    .command(word)
    .summary(groups[path] ?? '')
    .description(groups[path] ?? '')
    .helpCommand(false)
    .addHelpText('after', GLOBAL_OPTIONS)
}

function pathOf(command: Command): string[] {
  return command.parent ? [...pathOf(command.parent), command.name()] : []
}

function fill(made: Command, command: CliCommand, program: Command, found: (call: Call) => void): void {
  made.description(`${command.summary}.\n\n${command.description}${scopeOf(command)}`)
  for (const { name, required, description } of command.args) {
    made.argument(required ? `<${name}>` : `[${name}]`, description)
  }
  for (const option of command.options) made.addOption(optionOf(option))
  const examples = command.examples.map((example) => `  ${datedNear(example, new Date())}\n`)
  made.addHelpText('after', `${GLOBAL_OPTIONS}\n\nExamples:\n${examples.join('')}`)
  made.action((...actionArguments: unknown[]) => {
    const words = actionArguments.slice(0, command.args.length) as (string | undefined)[]
    const args = command.args.flatMap(({ name }, i) => (words[i] === undefined ? [] : [[name, words[i]]]))
    found({
      command,
      args: Object.fromEntries(args),
      options: { ...collected(program), ...collected(made) },
    })
  })
}

function scopeOf({ scope, endpoint }: CliCommand): string {
  if (endpoint === null) return ''
  return `\n\n${endpoint}${scope === null ? '' : `, scope ${scope}`}.`
}

/** Keeps every word as it was typed: `request-of.ts` reports all faults at once. */
function optionOf(option: CliOption): Option {
  const { flag, short, type, choices, required, repeatable } = option
  const long = `--${flag}${placeholderOf(option)}`
  const notes = [
    ...(required ? ['required'] : []),
    ...(choices ? [`one of ${choices.join(', ')}`] : []),
    ...(option.default === undefined ? [] : [`default ${option.default}`]),
    ...(repeatable && !/repeat/i.test(option.description) ? ['may be repeated'] : []),
  ]
  const text = [option.description, ...(notes.length > 0 ? [`(${notes.join('; ')})`] : [])].filter(Boolean).join(' ')
  const made = new Option(short ? `-${short}, ${long}` : long, text)
  // Otherwise commander would read `--no-retry` as the negation of `--retry`.
  made.negate = false
  made.attributeName = () => flag
  // Alone, `--is-handled` means yes, and does not take the next option for its value.
  if (type === 'boolean') made.preset('true')
  // A switch has no value.
  return made.argParser((word: string | null, before: unknown) => [
    ...(Array.isArray(before) ? before : []),
    word ?? 'true',
  ])
}

function placeholderOf({ type, value }: CliOption): string {
  if (type === 'switch') return ''
  return type === 'boolean' ? ` [${value}]` : ` <${value}>`
}

function collected(command: Command): Record<string, readonly string[]> {
  return command.opts<Record<string, readonly string[]>>()
}
