// Opens a connection without an HTTP client, for bytes that no client would send.
import { connect, type Socket } from 'node:net'

/** Sends raw bytes, and returns everything received until the server closes or `until` appears. */
export function raw(port: number, request: string | Uint8Array, until?: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.on('data', (chunk) => {
      text += chunk
      if (until?.test(text)) socket.destroy()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)))
  })
}

/** The statuses of all answers in the received text. */
export function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]))
}
