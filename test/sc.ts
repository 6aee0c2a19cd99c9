// Runs `sc` for the tests in this process, with its streams as values. `sc-process.test.ts` tests what needs a separate process.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { readEnvironment } from '@clinic-data/cli/config'
import { main } from '@clinic-data/cli/main'
import type { ProcessContext, Sink, Wait } from '@clinic-data/cli/process-context'

export interface ScOptions {
  /** The environment's variables. None of this process's own. */
  variables?: Record<string, string>
  stdin?: string
  /** The terminal's width. Without it the streams are pipes. */
  columns?: number
  /** Where standard output goes when the terminal has standard error alone. */
  output?: 'pipe' | 'file'
  /** The terminal's height. */
  rows?: number
  openPager?: ProcessContext['openPager']
  now?: () => number
  signal?: AbortSignal
  /** How it waits before it asks again. Default: not at all. */
  wait?: Wait
  /** Called with every piece of standard output and standard error, as it is written. */
  seen?: (text: string, stream: 'out' | 'errors') => void
}

export interface ScOutcome {
  code: number
  out: string
  errors: string
}

/** A folder for keys that no other test uses. */
export const newFolder = () => mkdtemp(join(tmpdir(), 'sc-test-'))

export async function sc(words: readonly string[], options: ScOptions = {}): Promise<ScOutcome> {
  const outcome = { out: '', errors: '' }
  const sink = (stream: 'out' | 'errors'): Sink => ({
    isTerminal: options.columns !== undefined && (stream === 'errors' || options.output === undefined),
    isFile: stream === 'out' && options.output === 'file',
    columns: options.columns ?? 0,
    rows: options.rows ?? 0,
    write: async (text) => {
      outcome[stream] += text
      options.seen?.(text, stream)
    },
  })
  const code = await main(words, {
    stdin: Readable.from(options.stdin === undefined ? [] : [options.stdin]),
    stdout: sink('out'),
    stderr: sink('errors'),
    environment: readEnvironment({ HOME: '/nowhere', CI: 'true', ...options.variables }, 'linux'),
    signal: options.signal ?? new AbortController().signal,
    wait: options.wait ?? (() => Promise.resolve()),
    openPager: options.openPager,
    now: options.now,
  })
  return { code, ...outcome }
}
