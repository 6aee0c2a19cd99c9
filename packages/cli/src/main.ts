// One run of `sc`: reads the call, runs the command, reports errors, and returns the exit code.
import { type Format, formats, isJson } from './command-line/command.ts'
import { meantOption } from './command-line/guessed-options.ts'
import { type Call, CommanderError, parse } from './command-line/program.ts'
import { commandIn, helpLine } from './command-line/usual-words.ts'
import type { CommandRun } from './command-run.ts'
import type { Environment } from './config.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { ClosedPipe, Interrupted, isColoured, type ProcessContext } from './process-context.ts'
import { UsageError } from './usage-error.ts'

type Runner = (run: CommandRun) => Promise<void>

/** Each runner is loaded when it is called, so no command waits for another's imports. */
const runners: Readonly<Record<string, () => Promise<{ run: Runner }>>> = {
  login: () => import('./commands/login.ts'),
  logout: () => import('./commands/logout.ts'),
  profiles: () => import('./commands/profiles.ts'),
  listen: () => import('./commands/listen.ts'),
  schema: () => import('./commands/schema.ts'),
  completion: () => import('./commands/completion.ts'),
  api: () => import('./commands/api.ts'),
}

const runOperation = () => import('./commands/operation.ts')

/** Completion scripts call `sc` with this word. */
const COMPLETE = '__complete'

/** The width of the help in a pipe, behind which is mostly a terminal. */
const HELP_COLUMNS = 80

/**
 * Runs a command line, given without `node` and `sc`.
 *
 * @example process.exitCode = await main(['patients', 'list'], context)
 */
export async function main(words: readonly string[], context: ProcessContext): Promise<ExitCode> {
  const { stderr, environment, signal } = context
  let call: Call | null = null
  try {
    const parsed = await read(words, context)
    if (typeof parsed === 'number') return parsed
    call = parsed
    await carryOut(call, context)
    return exitCodes.done
  } catch (error) {
    if (error instanceof ClosedPipe) return exitCodes.done
    if (error instanceof Interrupted) return exitCodes.interrupted
    if (signal.aborted) {
      // The terminal has shown ^C: the prompt that follows gets a line of its own.
      if (stderr.isTerminal) await stderr.write('\n').catch(() => undefined)
      return exitCodes.interrupted
    }
    const { reportOf, writtenReport } = await import('./output/report.ts')
    const [profile = environment.profile] = call?.options.profile ?? []
    const report = reportOf(error, call, profile)
    const style = { format: formatIn(words), isColoured: isColoured(stderr, environment) }
    await stderr.write(writtenReport(report, style)).catch(() => undefined)
    return report.exitCode
  }
}

/** Returns the call, or the exit code when only help, the version or a completion was asked for. */
async function read(words: readonly string[], { stdout, stderr }: ProcessContext): Promise<Call | ExitCode> {
  if (words[0] === COMPLETE) {
    const { completions } = await import('./command-line/completions.ts')
    await stdout.write(
      completions(words.slice(1))
        .map((word) => `${word}\n`)
        .join(''),
    )
    return exitCodes.done
  }
  const parsed = parsedWords(words, stdout.isTerminal ? stdout.columns : HELP_COLUMNS)
  if ('call' in parsed) return parsed.call
  if ('text' in parsed) {
    await stdout.write(parsed.text)
    return exitCodes.done
  }
  await stderr.write(parsed.help)
  return exitCodes.usage
}

async function carryOut(call: Call, context: ProcessContext): Promise<void> {
  const { command, options } = call
  const environment = environmentOf(call, context.environment)
  const { run } = await (command.operation === null ? ownRunner(command.path) : runOperation())
  const format = formatOf(options)
  if (format === 'csv' && command.operation === null && command.output_columns.length === 0)
    throw new UsageError(`--format csv is for rows, and sc ${command.path.join(' ')} prints none`)
  const running = { ...context, environment, call, format, mayRetry: !options['no-retry'] }
  await run(running)
  if (command.operation !== null && context.stdout.isTerminal) {
    const { tellUpgrade } = await import('./output/upgrade-notice.ts')
    await tellUpgrade(running)
  }
}

/** A named profile is a named clinic: no variable leads the command elsewhere. Only `login` takes the address of a new one from it. */
function environmentOf({ command, options }: Call, environment: Environment): Environment {
  const [profile, ...more] = options.profile ?? []
  if (more.length > 0) throw new UsageError('--profile may be given once')
  if (profile === undefined) return environment
  return { ...environment, profile, apiKey: null, baseUrl: command.path[0] === 'login' ? environment.baseUrl : null }
}

function ownRunner([name = '']: readonly string[]): Promise<{ run: Runner }> {
  const load = runners[name]
  if (!load) throw new Error(`nothing runs sc ${name}`)
  return load()
}

function parsedWords(words: readonly string[], columns: number) {
  try {
    return parse(words, { columns })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const [fault = '', suggestion] = error.message.split('\n')
    const [, option = ''] = /unknown option '(.*)'/.exec(fault) ?? []
    const meant = meantOption(commandIn(words), option)
    const hint = meant ? `Did you mean ${meant}?` : suggestion?.replace(/^\((.*)\)$/, '$1')
    throw new UsageError(fault.replace(/^error: /, ''), hint ?? helpLine(words))
  }
}

/** Fields are chosen for a program, so `--fields` alone means JSON. */
function formatOf({ format: requested = [], fields }: Call['options']): Format {
  if (requested.length > 1) throw new UsageError('--format may be given once')
  const [word = fields ? 'json' : 'table'] = requested
  const format = formats.find((one) => one === word)
  if (format === undefined) throw new UsageError(`--format must be one of ${formats.join(', ')}`)
  if (!isJson(format) && fields)
    throw new UsageError('--fields is for JSON', '--columns chooses those of a table or of CSV')
  return format
}

/** The format for an error, even when the call could not be read. */
function formatIn(words: readonly string[]): Format {
  const requested = words.flatMap((word, i) =>
    word === '--format' ? [words[i + 1]] : word.startsWith('--format=') ? [word.slice(9)] : [],
  )
  return formats.find((format) => format === requested.at(-1)) ?? 'table'
}
