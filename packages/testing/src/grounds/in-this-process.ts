// `serve` in the process of the tests, which has loaded the program already: for what a service does once it runs, or waits. What the
// command line, signals and the end of a process do needs `clinicd-process`.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { readConfig } from '@clinic-data/installation/config'
import { type Service, serve } from '@clinic-data/server/serve'
import type { ServeOptions } from '@clinic-data/server/start'
import pino from 'pino'

export interface ServiceHere extends Service {
  readonly address: string
  /** The messages of its log. */
  readonly lines: readonly string[]
}

export const newSecretKeys = () => `t:${randomBytes(32).toString('base64')}`

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())

/** Returns what `serve` needs, and the log. A folder that is not given is removed after the file's tests. */
export async function optionsHere(
  environment: Readonly<Record<string, string>>,
): Promise<ServeOptions & { lines: readonly string[]; texts: readonly string[] }> {
  const texts: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void texts.push(line) })
  const config = readConfig({
    DATA_DIR: environment.DATA_DIR ?? (await newFolder()),
    PORT: '0',
    ADMIN_PORT: '0',
    ...(environment.DATABASE_URL === undefined ? {} : { SECRET_KEYS: newSecretKeys() }),
    ...environment,
  })
  return {
    config,
    role: 'all',
    log,
    texts,
    get lines() {
      return texts.map((text) => JSON.parse(text).msg)
    },
  }
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clinicd-here-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Stopped after the file's tests if it still runs then. */
export async function serveHere(
  environment: Readonly<Record<string, string>>,
  role: ServeOptions['role'] = 'all',
): Promise<ServiceHere & { readonly texts: readonly string[] }> {
  const options = await optionsHere(environment)
  const service = await serve({ ...options, role })
  opened.defer(() => service.stop())
  return {
    ...service,
    address: service.address ?? '',
    texts: options.texts,
    get lines() {
      return options.lines
    },
  }
}
