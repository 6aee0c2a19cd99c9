// Starts the machine's own Chromium, for pages that tests open, and ends it with all its processes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A browser that takes longer to close is killed. */
const CLOSE_MS = 10_000

const ARGUMENTS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'],
  // Pages of several files are open at a time, and none is looked at.
  ...['--disable-background-timer-throttling', '--disable-renderer-backgrounding'],
  ...['--disable-backgrounding-occluded-windows', '--disable-background-networking', '--disable-extensions'],
  // A page that was left is gone, and the next one takes its process. No process waits for a page that may come.
  '--disable-features=BackForwardCache,ProactivelySwapBrowsingInstance,SpareRendererForSitePerProcess,MediaRouter,Translate,' +
    // Each window would load two pages of its own for its address bar, which take as long as one of ours.
    'WebUIOmniboxPopup,WebUIOmniboxAimPopup',
  ...['--disable-site-isolation-trials', '--disable-component-update', '--mute-audio'],
  // Pages live for seconds: what is compiled for long runs is never paid back.
  '--js-flags=--no-opt --no-maglev --single-threaded-gc',
  // Each tab that is opened comes with its own window.
  '--no-startup-window',
  ...['--remote-debugging-port=0', '--crash-dumps-dir=/nonexistent'],
]

export interface Chromium {
  /** The address of its debugging protocol. */
  readonly address: string
  /** When it has ended, for whatever reason. */
  readonly ended: Promise<unknown>
  /** Lets the browser end its own processes: one that outlives it would write to the removed profile. */
  close(): Promise<void>
}

export async function startChromium(program: string): Promise<Chromium> {
  const profile = mkdtempSync(join(tmpdir(), 'chromium-'))
  const child = spawn(program, [...ARGUMENTS, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile, TMPDIR: profile },
  })
  const ended = once(child, 'exit')
  const lines: string[] = []
  let host: string | undefined
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line)
    host = /DevTools listening on ws:\/\/([^/]+)/.exec(line)?.[1]
    if (host !== undefined) break
  }
  child.stderr.resume()
  const remove = () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  if (host === undefined) {
    remove()
    throw new Error(`Chromium did not start: ${lines.join('\n')}`)
  }
  const address = `http://${host}`
  return {
    address,
    ended,
    async close() {
      const late = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS)
      await askToClose(address).catch(() => child.kill('SIGKILL'))
      await ended
      clearTimeout(late)
      remove()
    },
  }
}

async function askToClose(address: string): Promise<void> {
  const answer = await fetch(`${address}/json/version`)
  const { webSocketDebuggerUrl } = (await answer.json()) as { webSocketDebuggerUrl: string }
  const socket = new WebSocket(webSocketDebuggerUrl)
  await once(socket, 'open')
  socket.send(JSON.stringify({ id: 1, method: 'Browser.close' }))
}
