// The process: gives `main` its streams and interruption as values, and sets the exit code.
import { fstatSync } from 'node:fs'
import { END_SIGNALS } from '@clinic-data/disk/end-signals'
import { readEnvironment } from './config.ts'
import { exitCodes } from './exit-codes.ts'
import { main } from './main.ts'
import { ClosedPipe, type Pager, type Sink } from './process-context.ts'

/** The width of a terminal that does not report one. */
const COLUMNS = 80

/** One Ctrl-C reaches us twice: from the terminal, and again from npm. */
const SAME_SIGNAL_MS = 1_000
/** Time for a command to clean up. A command that cannot end because nobody reads its output is killed. */
const END_MS = 2_000

const interruption = new AbortController()
let interruptedAt = 0
/** How many pagers run. Ctrl-C is theirs too: the command stops, and ends when the reader has left the pager. */
let pagers = 0

function interrupt(signal: NodeJS.Signals): void {
  if (signal === 'SIGINT' && pagers > 0) {
    interruption.abort(new Error('interrupted'))
    return
  }
  const now = performance.now()
  const end = () => process.exit(exitCodes.interrupted)
  if (!interruption.signal.aborted) {
    interruptedAt = now
    interruption.abort(new Error('interrupted'))
    setTimeout(end, END_MS).unref()
  } else if (now - interruptedAt > SAME_SIGNAL_MS) end()
}
for (const name of END_SIGNALS) process.on(name, interrupt)

/** Opens the stream at its first use: opening one takes as long as printing the help. */
function sinkOf(open: () => NodeJS.WriteStream, descriptor: number): Sink {
  let opened: NodeJS.WriteStream | null = null
  let closed = false
  const stream = () => {
    if (opened !== null) return opened
    opened = open()
    // The write's own callback reports the error.
    opened.on('error', (error) => {
      closed ||= isClosed(error)
    })
    return opened
  }
  return {
    get isTerminal() {
      return stream().isTTY ?? false
    },
    get isFile() {
      return fstatSync(descriptor).isFile()
    },
    get columns() {
      return stream().columns || COLUMNS
    },
    get rows() {
      return stream().rows || 0
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        if (closed) reject(new ClosedPipe())
        else stream().write(text, (error) => (error ? reject(isClosed(error) ? new ClosedPipe() : error) : resolve()))
      }),
  }
}

async function openPager(command: string): Promise<Pager | null> {
  const { startPager } = await import('./output/pager.ts')
  pagers++
  const pager = await startPager(command)
  const left = () => void pagers--
  if (pager === null) left()
  return pager && { ...pager, end: () => pager.end().finally(left) }
}

function isClosed(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED'
}

const code = main(process.argv.slice(2), {
  // Reading this property opens the stream.
  get stdin() {
    return process.stdin
  },
  stdout: sinkOf(() => process.stdout, 1),
  stderr: sinkOf(() => process.stderr, 2),
  environment: readEnvironment(),
  signal: interruption.signal,
  openPager,
})
code.then((exitCode) => {
  // Not process.exit: it would cut off what still waits in a pipe.
  process.exitCode = exitCode
})
// Everything is written. Without this, Node.js takes itself apart first, and gives the signals their own effect meanwhile.
process.once('beforeExit', () => process.exit())
