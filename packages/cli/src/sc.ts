// The process: its streams and its interruption as values for `main`, and the exit code at the end.
import { readEnvironment } from './config.ts'
import { exitCodes } from './exit-codes.ts'
import { main } from './main.ts'
import { ClosedPipe, type Sink } from './surroundings.ts'

/** What a terminal that does not say how wide it is is taken for. */
const COLUMNS = 80

const interruption = new AbortController()
/** The second one does not wait. */
process.on('SIGINT', () => {
  if (interruption.signal.aborted) process.exit(exitCodes.interrupted)
  interruption.abort(new Error('interrupted'))
})

function sinkOf(stream: NodeJS.WriteStream): Sink {
  let closed = false
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    closed = true
  })
  return {
    isTerminal: stream.isTTY ?? false,
    get columns() {
      return stream.columns || COLUMNS
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        if (closed) reject(new ClosedPipe())
        else stream.write(text, (error) => (error ? reject(isClosed(error) ? new ClosedPipe() : error) : resolve()))
      }),
  }
}

function isClosed(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED'
}

// Not process.exit: what still waits in a pipe would be cut off.
process.exitCode = await main(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: sinkOf(process.stdout),
  stderr: sinkOf(process.stderr),
  environment: readEnvironment(),
  signal: interruption.signal,
})
