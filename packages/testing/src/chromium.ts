// Drives the machine's own Chromium over its debugging protocol: opens pages and runs expressions in them.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** A browser that takes longer to close is killed. */
const CLOSE_MS = 10_000

/** Whatever a page is waited for, it takes a fraction of this. */
const PATIENCE_MS = 60_000

/** Characters of a page that does not become what it should. */
const MOST_TOLD = 800

/** The program's name, or null where there is none. */
export function chromiumProgram(): string | null {
  return NAMES.find((name) => spawnSync(name, ['--version']).status === 0) ?? null
}

interface Message {
  id?: number
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { message: string }
}

/** One tab. */
export class Tab {
  readonly #socket: WebSocket
  readonly #process: ChildProcess
  readonly #profile: string
  readonly #waiting = new Map<number, (message: Message) => void>()
  readonly #loaded: (() => void)[] = []
  /** What the console said: refusals of the content security policy are here. */
  readonly said: string[] = []
  #last = 0

  private constructor(socket: WebSocket, process: ChildProcess, profile: string) {
    this.#socket = socket
    this.#process = process
    this.#profile = profile
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data))))
  }

  static async open(program: string): Promise<Tab> {
    const profile = mkdtempSync(join(tmpdir(), 'chromium-'))
    const argv = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run']
    const started = spawn(
      program,
      [
        ...argv,
        '--remote-debugging-port=0',
        `--user-data-dir=${profile}`,
        '--crash-dumps-dir=/nonexistent',
        'about:blank',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile, TMPDIR: profile } },
    )
    let address = ''
    for await (const line of createInterface({ input: started.stderr })) {
      address = /DevTools listening on ws:\/\/([^/]+)/.exec(line)?.[1] ?? ''
      if (address) break
    }
    started.stderr.resume()
    const targets = (await (await fetch(`http://${address}/json`)).json()) as {
      type: string
      webSocketDebuggerUrl: string
    }[]
    const socket = new WebSocket(targets.find(({ type }) => type === 'page')?.webSocketDebuggerUrl ?? '')
    await once(socket, 'open')
    const tab = new Tab(socket, started, profile)
    for (const domain of ['Page', 'Runtime', 'Log']) await tab.send(`${domain}.enable`)
    return tab
  }

  #receive({ id, method, params, ...answer }: Message): void {
    if (id !== undefined) this.#waiting.get(id)?.(answer)
    else if (method === 'Page.loadEventFired') for (const tell of this.#loaded.splice(0)) tell()
    else if (method === 'Log.entryAdded' || method === 'Runtime.exceptionThrown') this.said.push(JSON.stringify(params))
  }

  async send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++this.#last
    const { promise, resolve } = Promise.withResolvers<Message>()
    this.#waiting.set(id, resolve)
    this.#socket.send(JSON.stringify({ id, method, params }))
    const { result, error } = await promise
    this.#waiting.delete(id)
    if (error) throw new Error(`${method}: ${error.message}`)
    return result ?? {}
  }

  async visit(url: string, width = 1440, height = 900): Promise<void> {
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 })
    // Another page first: a change of the anchor alone loads nothing.
    for (const address of ['about:blank', url]) await this.load(() => this.send('Page.navigate', { url: address }))
  }

  /** Does what loads another page, and waits until that is there. */
  async load(leave: () => Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#loaded.push(resolve)
    await leave()
    await promise
  }

  /** Runs an expression in the page, and waits for its promise. */
  async run<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = (await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    })) as { result: { value: T }; exceptionDetails?: object }
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails))
    return result.value
  }

  /** Waits until an expression holds in the page. */
  until(condition: string): Promise<unknown> {
    return this.run(`new Promise((done, fail) => {
      const startedAt = performance.now()
      const look = () => (${condition}) ? done(true) : performance.now() - startedAt > ${PATIENCE_MS} ? fail('never: ' + ${JSON.stringify(condition)} + '. The page shows: ' + document.body.innerText.slice(0, ${MOST_TOLD})) : requestAnimationFrame(look)
      look()
    })`)
  }

  /** Lets the browser end its own processes: one that outlives it would write to the removed profile. */
  async close(): Promise<void> {
    const exit = once(this.#process, 'exit')
    this.#socket.send(JSON.stringify({ id: ++this.#last, method: 'Browser.close' }))
    const late = setTimeout(() => this.#process.kill('SIGKILL'), CLOSE_MS)
    await exit
    clearTimeout(late)
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 })
  }
}
