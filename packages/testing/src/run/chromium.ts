// Drives Chromium over its debugging protocol: opens pages and runs expressions in them. Each tab is a browser of its own to the pages:
// nothing that one keeps is seen in another, but copies of files that never change.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type KeptPage, keepPage, takePage } from '../shared/kept-pages.ts'

/** The shell is the same browser without windows, which takes a seventh less of a processor. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** Whatever a page is waited for, it takes a fraction of this. */
const PATIENCE_MS = 40_000

/** Until a page has its place on a screen of another width. */
const MOST_FRAMES = 100

/** Between two looks at a page. Looks at each frame would draw frames that nobody sees. */
const EVERY_MS = 15

/** A page that was at more is not kept: to clear them all takes as long as a new page. */
const MOST_ORIGINS = 2

/** Characters of a page that does not become what it should. */
const MOST_TOLD = 4_000

/** The program's path, or null where there is none. */
export function chromiumProgram(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const programs = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return programs.find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

interface Message {
  id?: number
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { message: string }
}

type OnEvent = (method: string, params?: Record<string, unknown>) => void

/** One connection to the browser, or to a page of it. */
class Line {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (message: Message) => void>()
  readonly #onEvent: OnEvent
  #last = 0

  private constructor(socket: WebSocket, onEvent: OnEvent) {
    this.#socket = socket
    this.#onEvent = onEvent
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data))))
    socket.addEventListener('close', () => {
      for (const answer of this.#waiting.values()) answer({ error: { message: 'the browser has gone' } })
    })
  }

  static async to(url: string, onEvent: OnEvent = () => undefined): Promise<Line> {
    const socket = new WebSocket(url)
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true })
      socket.addEventListener('error', () => reject(new Error(`no browser at ${url}`)), { once: true })
    })
    return new Line(socket, onEvent)
  }

  #receive({ id, method, params, ...answer }: Message): void {
    if (id !== undefined) this.#waiting.get(id)?.(answer)
    else if (method !== undefined) this.#onEvent(method, params)
  }

  async send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++this.#last
    const { promise, resolve } = Promise.withResolvers<Message>()
    this.#waiting.set(id, resolve)
    if (this.#socket.readyState !== WebSocket.OPEN) throw new Error(`${method}: the browser has gone`)
    this.#socket.send(JSON.stringify({ id, method, params }))
    const { result, error } = await promise
    this.#waiting.delete(id)
    if (error) throw new Error(`${method}: ${error.message}`)
    return result ?? {}
  }

  close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#socket.addEventListener('close', () => resolve(), { once: true })
    this.#socket.close()
    return promise
  }
}

/** One tab, with cookies and storage of its own. */
export class Tab {
  readonly #browser: Line
  readonly #kept: KeptPage
  #page: Line | undefined
  readonly #loaded: (() => void)[] = []
  /** Where pages may have stored something. */
  readonly #origins = new Set<string>()
  /** The console's lines: refusals of the content security policy are here. */
  readonly said: string[] = []
  #shape = ''
  #isClearing = false

  private constructor(browser: Line, kept: KeptPage) {
    this.#browser = browser
    this.#kept = kept
  }

  /** @param address - of the browser's debugging protocol, as `http://127.0.0.1:9222`. By default the run's browser. */
  static async open(address = process.env.TEST_CHROMIUM ?? ''): Promise<Tab> {
    const answer = await fetch(`${address}/json/version`)
    if (!answer.ok) throw new Error(await answer.text())
    const { webSocketDebuggerUrl: url } = (await answer.json()) as { webSocketDebuggerUrl: string }
    const browser = await Line.to(url)
    const kept = takePage(url) ?? (await newPage(browser, url))
    const tab = new Tab(browser, kept)
    const { href } = Object.assign(new URL(url), { pathname: `/devtools/page/${kept.target}` })
    tab.#page = await Line.to(href, (...event) => tab.#hear(...event))
    for (const domain of ['Page', 'Runtime', 'Log']) await tab.send(`${domain}.enable`)
    // Each page has the focus, whichever is looked at.
    await tab.send('Emulation.setFocusEmulationEnabled', { enabled: true })
    return tab
  }

  #hear(method: string, params?: Record<string, unknown>): void {
    if (method === 'Page.loadEventFired') for (const tell of this.#loaded.splice(0)) tell()
    else if (method === 'Page.frameNavigated') this.#remember(params)
    else if (method === 'Fetch.requestPaused' && this.#isClearing) this.#answerEmpty(params)
    else if (method === 'Log.entryAdded' || method === 'Runtime.exceptionThrown') this.said.push(JSON.stringify(params))
  }

  #remember(params: Record<string, unknown> = {}): void {
    const { protocol, origin } = new URL((params as { frame: { url: string } }).frame.url)
    if (/^https?:$/.test(protocol)) this.#origins.add(origin)
  }

  #answerEmpty(params: Record<string, unknown> = {}): void {
    const responseHeaders = [{ name: 'content-type', value: 'text/html' }]
    const answer = { requestId: params.requestId, responseCode: 200, responseHeaders, body: '' }
    // A request that its page has left needs no answer.
    this.send('Fetch.fulfillRequest', answer).catch(() => undefined)
  }

  async send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    if (this.#page === undefined) throw new Error('the tab has no page')
    return this.#page.send(method, params)
  }

  /** Lets the pages of an address do this. */
  async grant(origin: string, permissions: readonly string[]): Promise<void> {
    await this.#browser.send('Browser.grantPermissions', { origin, permissions, browserContextId: this.#kept.context })
  }

  /** Runs a script in each page that is loaded from now on, before its own. @returns what ends that. */
  async inject(source: string): Promise<() => Promise<unknown>> {
    const { identifier } = await this.send('Page.addScriptToEvaluateOnNewDocument', { source })
    return () => this.send('Page.removeScriptToEvaluateOnNewDocument', { identifier })
  }

  /** Gives the page this size. */
  async resize(width = 1440, height = 900): Promise<void> {
    const shape = `${width}x${height}`
    if (shape !== this.#shape) {
      const size = { width, height, deviceScaleFactor: 1, mobile: width < 600 }
      await this.send('Emulation.setDeviceMetricsOverride', size)
      this.#shape = shape
    }
  }

  async visit(url: string, width?: number): Promise<void> {
    await this.resize(width)
    // Another page first: a change of the anchor alone loads nothing.
    const [page = '', anchor] = url.split('#')
    const isHere = anchor !== undefined && (await this.run<string>('location.href')).split('#')[0] === page
    for (const address of isHere ? ['about:blank', url] : [url])
      await this.load(() => this.send('Page.navigate', { url: address }))
  }

  /** Does what loads another page, and waits until that is there. */
  async load(leave: () => Promise<unknown>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const late = setTimeout(() => reject(new Error('no other page was loaded')), PATIENCE_MS)
    this.#loaded.push(resolve)
    try {
      await leave()
      await promise
    } finally {
      clearTimeout(late)
    }
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
      const look = () => (${condition}) ? done(true) : performance.now() - startedAt > ${PATIENCE_MS} ? fail('never: ' + ${JSON.stringify(condition)} + '. The page shows: ' + document.body.innerText.slice(0, ${MOST_TOLD})) : setTimeout(look, ${EVERY_MS})
      look()
    })`)
  }

  /** @returns how many pixels do not fit a screen of this width, once the page has found its place on it. */
  async overflow(width: number): Promise<number> {
    await this.resize(width)
    // Not `innerWidth`: on a phone it grows with what does not fit.
    return this.run(`new Promise((done) => {
      let frames = 0
      const look = () => {
        const overflow = document.documentElement.scrollWidth - ${width}
        if (overflow <= 0 || ++frames > ${MOST_FRAMES}) done(Math.max(0, overflow))
        else requestAnimationFrame(look)
      }
      look()
    })`)
  }

  /** With all that its pages kept. What was asked of the page itself ends with its line. */
  async close(): Promise<void> {
    // A page that cannot be cleared is nobody's any more.
    const isClear =
      this.#origins.size <= MOST_ORIGINS &&
      (await this.#clear().then(
        () => true,
        () => false,
      ))
    await this.#page?.close()
    if (isClear) keepPage(this.#kept)
    else await this.#browser.send('Target.disposeBrowserContext', { browserContextId: this.#kept.context })
    await this.#browser.close()
  }

  /** Removes what pages stored, on an empty page of each origin: their servers may have ended. */
  async #clear(): Promise<void> {
    const context = { browserContextId: this.#kept.context }
    await this.#browser.send('Storage.clearCookies', context)
    await this.#browser.send('Browser.resetPermissions', context)
    await this.send('Network.disable')
    this.#isClearing = true
    await this.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
    for (const origin of this.#origins) {
      await this.load(() => this.send('Page.navigate', { url: `${origin}/` }))
      await this.run('localStorage.clear(); sessionStorage.clear()')
    }
    await this.send('Page.resetNavigationHistory')
    await this.send('Log.clear')
  }
}

async function newPage(browser: Line, url: string): Promise<KeptPage> {
  const { browserContextId } = await browser.send('Target.createBrowserContext')
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId })
  return { browser: url, context: String(browserContextId), target: String(targetId) }
}
