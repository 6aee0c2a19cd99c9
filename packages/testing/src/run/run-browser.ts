// The browser of a test run: one Chromium for all its files and processes, started when the first one asks where it is.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromiumProgram } from './chromium.ts'
import { type Chromium, startChromium } from './start-chromium.ts'

export interface RunBrowser {
  /** Tells, as Chromium itself does at /json/version, where its debugging protocol is. */
  readonly address: string
  close(): Promise<void>
}

/** @returns null on a machine without Chromium. */
export async function offerBrowser(): Promise<RunBrowser | null> {
  const program = chromiumProgram()
  if (program === null) return null
  let chromium: Promise<Chromium> | null = null
  const started = () => {
    chromium ??= startChromium(program).then((one) => {
      // One that crashed makes room for the next.
      void one.ended.then(() => {
        chromium = null
      })
      return one
    })
    return chromium
  }
  const server = createServer(async ({ url = '/' }, response) => {
    try {
      const { address } = await started()
      response.end(await (await fetch(`${address}${url}`)).text())
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await (await chromium)?.close()
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}
