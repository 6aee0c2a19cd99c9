// The process: its streams and its interruption as values for `main`, and the exit code at the end.
import { readEnvironment } from './config.ts'
import { exitCodes } from './exit-codes.ts'
import { main } from './main.ts'
import { ClosedPipe, type Sink } from './surroundings.ts'

/** What a terminal that does not say how wide it is is taken for. */
const COLUMNS = 80

/** A terminal tells npm and us of one Ctrl-C, and npm tells us again: that is one signal, not two. */
const SAME_SIGNAL_MS = 1_000
/** For what a command has to clear away. One that cannot end, because nobody takes its output, is ended. */
const END_MS = 2_000

const interruption = new AbortController()
let interruptedAt = 0

function interrupt(): void {
  const now = performance.now()
  const end = () => process.exit(exitCodes.interrupted)
  if (!interruption.signal.aborted) {
    interruptedAt = now
    interruption.abort(new Error('interrupted'))
    setTimeout(end, END_MS).unref()
  } else if (now - interruptedAt > SAME_SIGNAL_MS) end()
}
process.on('SIGINT', interrupt)
process.on('SIGTERM', interrupt)

/** The stream is opened by the first look at it: to open one takes as long as to print the help. */
function sinkOf(open: () => NodeJS.WriteStream): Sink {
  let opened: NodeJS.WriteStream | null = null
  let closed = false
  const stream = () => {
    if (opened !== null) return opened
    opened = open()
    // What went wrong with a text is told by its own callback.
    opened.on('error', (error) => {
      closed ||= isClosed(error)
    })
    return opened
  }
  return {
    get isTerminal() {
      return stream().isTTY ?? false
    },
    get columns() {
      return stream().columns || COLUMNS
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        if (closed) reject(new ClosedPipe())
        else stream().write(text, (error) => (error ? reject(isClosed(error) ? new ClosedPipe() : error) : resolve()))
      }),
  }
}

function isClosed(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED'
}

const code = main(process.argv.slice(2), {
  // To look at it opens it.
  get stdin() {
    return process.stdin
  },
  stdout: sinkOf(() => process.stdout),
  stderr: sinkOf(() => process.stderr),
  environment: readEnvironment(),
  signal: interruption.signal,
})
code.then((exitCode) => {
  // Not process.exit: what still waits in a pipe would be cut off.
  process.exitCode = exitCode
})
