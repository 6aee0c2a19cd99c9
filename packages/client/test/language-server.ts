// TypeScript's language server, as an editor asks it: what it shows of a place in a program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = dirname(dirname(dirname(import.meta.dirname)))

export interface LanguageServer {
  /** Returns what is shown of each of these places (line and character from 0) in a program, as Markdown. */
  hovers(program: string, places: readonly { line: number; character: number }[]): Promise<string[]>
  close(): Promise<void>
}

interface Message {
  id?: number
  method?: string
  result?: unknown
}

/** @param folder where the programs seem to lie, so that their imports are found. */
export async function languageServer(folder: string): Promise<LanguageServer> {
  const server = spawn(join(root, 'node_modules/.bin/tsc'), ['--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const exited = once(server, 'exit')
  const waiting = new Map<number, (result: unknown) => void>()
  let lastId = 0
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  const ask = (method: string, params: object) =>
    new Promise<unknown>((resolve) => {
      waiting.set(++lastId, resolve)
      send({ id: lastId, method, params })
    })
  readMessages(server.stdout, ({ id, method, result }) => {
    // The server asks for settings: there are none.
    if (method !== undefined && id !== undefined) send({ id, result: null })
    else if (id !== undefined) waiting.get(id)?.(result)
  })
  await ask('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(root).href,
    capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
  })
  send({ method: 'initialized', params: {} })
  const uri = pathToFileURL(join(folder, 'program.ts')).href
  let version = 0
  return {
    async hovers(text, places) {
      send({
        method: 'textDocument/didOpen',
        params: { textDocument: { uri, languageId: 'typescript', version: ++version, text } },
      })
      const shown = places.map((position) => ask('textDocument/hover', { textDocument: { uri }, position }))
      const texts = (await Promise.all(shown)).map(
        (hover) => (hover as { contents: { value: string } } | null)?.contents.value ?? '',
      )
      send({ method: 'textDocument/didClose', params: { textDocument: { uri } } })
      return texts
    },
    async close() {
      await ask('shutdown', {})
      send({ method: 'exit' })
      await exited
    },
  }
}

/** A message is its length, an empty line and its JSON. */
function readMessages(stream: NodeJS.ReadableStream, take: (message: Message) => void): void {
  let rest = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const end = rest.indexOf('\r\n\r\n')
      const length = Number(/Content-Length: (\d+)/i.exec(rest.subarray(0, Math.max(end, 0)).toString())?.[1])
      if (end === -1 || rest.length < end + 4 + length) return
      take(JSON.parse(rest.subarray(end + 4, end + 4 + length).toString()))
      rest = rest.subarray(end + 4 + length)
    }
  })
}
