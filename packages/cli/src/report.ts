// Reports an error: the exit code, the text for a person, and the document for a program.
import { ClinicDataError, ConnectionError, ProblemError, UnexpectedAnswerError } from '@clinic-data/client/errors'
import { safeJson, safeText } from '@clinic-data/contract/safe-text'
import type { CliCommand, Format } from './command.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { NoKey } from './no-key.ts'
import { UsageError } from './usage-error.ts'

export interface Report {
  readonly exitCode: ExitCode
  /** Lines for a person: what went wrong. */
  readonly errors: readonly string[]
  /** Lines for a person: how to mend it. */
  readonly hints: readonly string[]
  /** For a program: the service's problem, or another error in the same form. */
  readonly problem: object
}

/** Reports an error. `command` is null when the call could not be read. */
export function reportOf(error: unknown, command: CliCommand | null): Report {
  if (error instanceof ProblemError) return reportOfProblem(error, command)
  if (error instanceof UsageError) {
    const { faults, hint } = error
    return told(
      exitCodes.usage,
      'Called wrongly',
      faults.map(({ detail }) => detail),
      hint === undefined ? [] : [hint],
      {
        errors: faults.map(({ detail, option }) => ({ ...(option === undefined ? {} : { option }), detail })),
      },
    )
  }
  if (error instanceof NoKey) return told(exitCodes.unauthorized, 'No key', [error.message], [error.hint])
  if (error instanceof ConnectionError || error instanceof UnexpectedAnswerError) {
    const hints = ['is SC_BASE_URL, or the address given to sc login, that of the service?']
    return told(exitCodes.network, 'Not reached', [error.message], hints, { request_id: error.request_id })
  }
  const message = error instanceof Error ? error.message : String(error)
  const request_id = error instanceof ClinicDataError ? error.request_id : undefined
  return told(exitCodes.other, 'Failed', [message], [], request_id === undefined ? {} : { request_id })
}

function told(
  exitCode: ExitCode,
  title: string,
  errors: readonly string[],
  hints: readonly string[],
  more: object = {},
): Report {
  const hint = hints.length > 0 ? { hint: hints.join('; ') } : {}
  return { exitCode, errors, hints, problem: { title, detail: errors.join('; '), ...more, ...hint } }
}

const STATUS_CODES: Readonly<Record<number, ExitCode>> = {
  400: exitCodes.usage,
  401: exitCodes.unauthorized,
  403: exitCodes.unauthorized,
  404: exitCodes.notFound,
  429: exitCodes.rateLimited,
}

function reportOfProblem({ status, problem, request_id }: ProblemError, command: CliCommand | null): Report {
  const faults = (problem.errors ?? []).map((fault) => `${placeOf(fault, command)}${fault.detail}`)
  const first = problem.detail ?? problem.title
  return {
    exitCode: STATUS_CODES[status] ?? exitCodes.other,
    errors: faults.length > 0 ? faults : [first],
    hints: hintsOf(status, problem.required_scope, request_id),
    problem,
  }
}

/**
 * Finds the flag or argument that a fault is about, where the service names a parameter or `#/field/0`. Empty for the whole
 * request.
 */
function placeOf(fault: object, command: CliCommand | null): string {
  const { pointer, parameter, header } = fault as Partial<Record<string, string>>
  const [field = ''] = pointer === undefined ? [parameter ?? header] : pointer.split('/').slice(1)
  if (field === '') return ''
  const option = command?.options.find(({ fills }) => fills === field)
  if (option) return `--${option.flag}: `
  const argument = command?.args.find(({ fills }) => fills === field)
  return argument ? `<${argument.name}>: ` : `${field}: `
}

function hintsOf(status: number, scope: string | undefined, request_id: string | null): string[] {
  if (status === 401) return ['sc login stores another key; SC_API_KEY goes before it']
  if (status === 403) {
    return [
      scope ? `a clinic administrator can mint a key with the scope ${scope}` : 'sc whoami shows the scopes of the key',
    ]
  }
  if (status >= 500 && request_id !== null) return [`if it persists, give support the request id ${request_id}`]
  return []
}

export interface ReportStyle {
  readonly format: Format
  readonly isColoured: boolean
}

/** The report as it is written to standard error. */
export function writtenReport({ errors, hints, problem }: Report, { format, isColoured }: ReportStyle): string {
  if (format !== 'table') return `${safeJson(JSON.stringify(problem, null, format === 'json' ? 2 : 0))}\n`
  const label = (text: string, colour: number) => (isColoured ? `\x1b[${colour}m${text}\x1b[0m` : text)
  return [
    ...errors.map((line) => `${label('error:', 31)} ${safeText(line)}\n`),
    ...hints.map((line) => `${label('hint:', 36)} ${safeText(line)}\n`),
  ].join('')
}
