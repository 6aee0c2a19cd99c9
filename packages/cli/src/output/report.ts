// Reports an error: the exit code, the text for a person, and the document for a program.
import { ConnectionError, ProblemError, UnexpectedAnswerError } from '@clinic-data/client/errors'
import { safeJson, safeText } from '@clinic-data/contract/safe-text'
import { readScopes } from '@clinic-data/contract/scopes'
import { type Format, isJson } from '../command-line/command.ts'
import type { Call } from '../command-line/program.ts'
import { DEFAULT_PROFILE } from '../config.ts'
import { NoKey } from '../connection/no-key.ts'
import { RefusedForm } from '../connection/token-endpoint.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { UsageError } from '../usage-error.ts'

export interface Report {
  readonly exitCode: ExitCode
  /** Lines for a person: what went wrong. */
  readonly errors: readonly string[]
  /** Lines for a person: how to mend it. */
  readonly hints: readonly string[]
  /** Identifies the request to support, of a problem. */
  readonly request_id: string | null
  /** For a program: the service's problem, or another error in the same form. */
  readonly problem: object
}

/**
 * Reports an error.
 *
 * @param call null when it could not be read.
 * @param profile of the key that the call was made with.
 */
export function reportOf(error: unknown, call: Call | null, profile: string): Report {
  if (error instanceof ProblemError) return reportOfProblem(error, call, profile)
  if (error instanceof UsageError) {
    const { faults, hint } = error
    return reportOfKind(
      { exitCode: exitCodes.usage, code: 'usage', title: 'Called wrongly' },
      faults.map(({ detail }) => detail),
      hint === undefined ? [] : [hint],
      {
        errors: faults.map(({ detail, option }) => ({ ...(option === undefined ? {} : { option }), detail })),
      },
    )
  }
  if (error instanceof NoKey)
    return reportOfKind(
      { exitCode: exitCodes.unauthorized, code: 'no-key', title: 'No key' },
      [error.message],
      [error.hint],
    )
  if (error instanceof ConnectionError || error instanceof UnexpectedAnswerError) {
    const hints = ['check that SC_BASE_URL, or the address given to sc login, is the address of the service']
    const kind = { exitCode: exitCodes.network, code: error.code, title: 'Not reached' }
    return reportOfKind(kind, [error.message], hints, { request_id: error.request_id })
  }
  if (error instanceof RefusedForm)
    return reportOfKind(
      { exitCode: exitCodes.unauthorized, code: error.code, title: 'Not signed in' },
      [error.message],
      [],
    )
  const message = error instanceof Error ? error.message : String(error)
  return reportOfKind({ exitCode: exitCodes.other, code: 'failed', title: 'Failed' }, [message], [])
}

interface Kind {
  readonly exitCode: ExitCode
  readonly code: string
  readonly title: string
}

function reportOfKind(
  { exitCode, code, title }: Kind,
  errors: readonly string[],
  hints: readonly string[],
  more: object = {},
): Report {
  const hint = hints.length > 0 ? { hint: hints.join('; ') } : {}
  return {
    exitCode,
    errors,
    hints,
    request_id: null,
    problem: { code, title, detail: errors.join('; '), ...more, ...hint },
  }
}

const STATUS_CODES: Readonly<Record<number, ExitCode>> = {
  400: exitCodes.usage,
  401: exitCodes.unauthorized,
  403: exitCodes.unauthorized,
  404: exitCodes.notFound,
  429: exitCodes.rateLimited,
}

function reportOfProblem({ status, problem, request_id }: ProblemError, call: Call | null, profile: string): Report {
  const faults = (problem.errors ?? []).map((fault) => withPlace(placeOf(fault, call), fault.detail))
  const first = problem.detail ?? problem.title
  return {
    exitCode: STATUS_CODES[status] ?? exitCodes.other,
    errors: faults.length > 0 ? faults : [first],
    hints: hintsOf(status, problem.required_scope, { request_id, login: loginOf(profile) }),
    request_id,
    problem,
  }
}

/**
 * Finds the flag or argument that a fault is about, where the service names a parameter or `#/field/0`. A flag that may be repeated
 * stands with the word that is meant. Empty for the whole request.
 */
export function placeOf(fault: object, call: Call | null): string {
  const { pointer, parameter, header } = fault as Partial<Record<string, string>>
  const [field = '', index = ''] = pointer === undefined ? [parameter ?? header] : pointer.split('/').slice(1)
  if (field === '') return ''
  const option = call?.command.options.find(({ fills }) => fills === field)
  if (option) {
    const word = option.repeatable ? call?.options[option.flag]?.[Number(index || Number.NaN)] : undefined
    return word === undefined ? `--${option.flag}` : `--${option.flag} ${safeText(word)}`
  }
  const argument = call?.command.args.find(({ fills }) => fills === field)
  return argument ? `<${argument.name}>` : field
}

const withPlace = (place: string, detail: string): string => (place === '' ? detail : `${place}: ${detail}`)

/** The command that connects this profile, and no other one. */
const loginOf = (profile: string): string =>
  profile === DEFAULT_PROFILE ? 'sc login' : `sc login --profile ${safeText(profile)}`

interface HintParts {
  readonly request_id: string | null
  readonly login: string
}

function hintsOf(status: number, scope: string | undefined, { request_id, login }: HintParts): string[] {
  if (status === 401)
    return [`${login} connects again or stores another key; SC_API_KEY is used instead of a stored key`]
  if (status === 403) {
    return scope === undefined ? ['sc whoami shows the scopes of the key'] : wayToScope(scope, login)
  }
  if (status >= 500 && request_id !== null) return ['if it persists, give support the request_id']
  return []
}

/** A new connection has only what it asks for, so the hint says to name the rest. */
function wayToScope(scope: string, login: string): string[] {
  const scopes = (readScopes as readonly string[]).includes(scope) ? 'reads' : `reads,${scope}`
  return [
    `connect again: ${login} --scopes ${scopes} (add the other scopes that you need; sc whoami shows those that you have)`,
    `or get a key with ${scope} from a clinic administrator, and store it with ${login} --key`,
  ]
}

export interface ReportStyle {
  readonly format: Format
  readonly isColoured: boolean
}

/** The report as it is written to standard error. */
export function writtenReport(
  { errors, hints, request_id, problem }: Report,
  { format, isColoured }: ReportStyle,
): string {
  if (isJson(format)) return `${safeJson(JSON.stringify(problem, null, format === 'json' ? 2 : 0))}\n`
  const label = (text: string, colour: number) => (isColoured ? `\x1b[${colour}m${text}\x1b[0m` : text)
  return [
    ...errors.map((line) => `${label('error:', 31)} ${safeText(line)}\n`),
    ...hints.map((line) => `${label('hint:', 36)} ${safeText(line)}\n`),
    ...(request_id === null ? [] : [`${label('request_id:', 2)} ${safeText(request_id)}\n`]),
  ].join('')
}
