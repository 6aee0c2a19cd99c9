// One run of `sc`: reads the call, carries it out, tells what went wrong, and answers the exit code.
import { type Format, formats } from './command.ts'
import type { CommandRun } from './command-run.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { CommanderError, parse } from './program.ts'
import { ClosedPipe, Interrupted, isColoured, type Surroundings } from './surroundings.ts'
import { UsageError } from './usage-error.ts'

type Runner = (run: CommandRun) => Promise<void>

/** Loaded when it is called: no command waits for another's imports. */
const runners: Readonly<Record<string, () => Promise<{ run: Runner }>>> = {
  login: () => import('./commands/login.ts'),
  logout: () => import('./commands/logout.ts'),
  listen: () => import('./commands/listen.ts'),
  schema: () => import('./commands/schema.ts'),
  completion: () => import('./commands/completion.ts'),
}

const runOperation = () => import('./commands/operation.ts')

/** Completion scripts ask with this word for what may follow. */
const COMPLETE = '__complete'

/**
 * Runs a command line, without `node` and `sc`.
 *
 * @example process.exitCode = await main(['patients', 'list'], surroundings)
 */
export async function main(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { stderr, environment, signal } = surroundings
  try {
    return await attempt(words, surroundings)
  } catch (error) {
    if (error instanceof ClosedPipe) return exitCodes.done
    if (signal.aborted || error instanceof Interrupted) return exitCodes.interrupted
    const { reportOf, writtenReport } = await import('./report.ts')
    const report = reportOf(error)
    await stderr
      .write(writtenReport(report, { format: formatIn(words), isColoured: isColoured(stderr, environment) }))
      .catch(() => undefined)
    return report.exitCode
  }
}

async function attempt(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, stderr } = surroundings
  if (words[0] === COMPLETE) {
    const { completions } = await import('./completions.ts')
    await stdout.write(
      completions(words.slice(1))
        .map((word) => `${word}\n`)
        .join(''),
    )
    return exitCodes.done
  }
  const parsed = parsedWords(words, stdout.isTerminal ? stdout.columns : 100)
  if ('text' in parsed) {
    await stdout.write(parsed.text)
    return exitCodes.done
  }
  if ('help' in parsed) {
    await stderr.write(parsed.help)
    return exitCodes.usage
  }
  const { call } = parsed
  const { run } = await (call.command.operation === null ? ownRunner(call.command.path) : runOperation())
  await run({ ...surroundings, call, format: formatOf(call.options.format), mayRetry: !call.options['no-retry'] })
  return exitCodes.done
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
    const [fault = '', ...suggestions] = error.message.split('\n')
    throw new UsageError(fault.replace(/^error: /, ''), suggestions[0]?.replace(/^\((.*)\)$/, '$1') ?? 'sc --help')
  }
}

function formatOf(given: readonly string[] = []): Format {
  if (given.length > 1) throw new UsageError('--format may be given once')
  const [word = 'table'] = given
  const format = formats.find((one) => one === word)
  if (format === undefined) throw new UsageError(`--format must be one of ${formats.join(', ')}`)
  return format
}

/** The format of an error, also of a call that could not be read. */
function formatIn(words: readonly string[]): Format {
  const given = words.flatMap((word, i) =>
    word === '--format' ? [words[i + 1]] : word.startsWith('--format=') ? [word.slice(9)] : [],
  )
  return formats.find((format) => format === given.at(-1)) ?? 'table'
}
