// The exit codes that scripts branch on.

export const exitCodes = {
  done: 0,
  other: 1,
  usage: 2,
  notFound: 3,
  unauthorized: 4,
  rateLimited: 5,
  network: 6,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The meaning of each code, for `sc schema` and the help. */
export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: 'done',
  1: 'any other error',
  2: 'called wrongly, or the service refused the request as invalid (400)',
  3: 'not found',
  4: 'no key, an invalid key, or a key that lacks the scope',
  5: 'rate limited',
  6: 'the service could not be reached',
  130: 'interrupted',
}
