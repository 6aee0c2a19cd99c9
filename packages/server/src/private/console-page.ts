// Serves the built page of the console on the private listener. What it asks is `/console/api`, which is the backend's.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PROBLEM_TYPE, problemBody } from '@clinic-data/contract/problem-body'
import { Problem } from '@clinic-data/contract/problems'
import { type Encoding, encodingFor } from '@clinic-data/gateway/answers/encoding'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Where `packages/console/scripts/build.ts` puts the files. */
const CONSOLE_FOLDER = fileURLToPath(new URL('../../../console/dist', import.meta.url))

// Mantine sets sizes and colours of single elements by `style` attributes and one `<style>` that it makes from the theme, so styles
// may stand inline. A style cannot run. Scripts come from files of ours alone.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** The endings of an asset's compressed forms. */
const ENCODED = [
  ['gzip', '.gz'],
  ['br', '.br'],
] as const

/** The name of each asset holds a hash of its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

const UNBUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Console</title>
<h1>The console is not built</h1>
<p>Run <code>npm run console</code> in the folder of the service, then start the service again. It needs the packages of
<code>npm ci</code>.</p>
<p>Until then, <code>clinicd keys</code> mints, lists and revokes keys.</p>
</html>
`

interface Asset {
  type: string
  /** A console that an earlier version built lacks some encodings. */
  content: Readonly<Record<'identity', Buffer> & Partial<Record<Encoding, Buffer>>>
}

export interface ConsolePageOptions {
  baseUrl: string
  folder?: string
}

/** @example await admin.register(consolePage({ baseUrl })) */
export function consolePage({ baseUrl, folder = CONSOLE_FOLDER }: ConsolePageOptions) {
  const index = readIndex(folder)
  const assets = index === null ? new Map<string, Asset>() : readAssets(join(folder, 'assets'))
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onRequest', async (_request, reply) => void reply.headers(HEADERS))
    app.get<{ Params: { '*': string } }>('/console/assets/*', (request, reply) => {
      const asset = assets.get(request.params['*'])
      return asset === undefined ? answerNotFound(request, reply, baseUrl) : answerAsset(asset, request, reply)
    })
    app.get('/console/api/*', (request, reply) => answerNotFound(request, reply, baseUrl))
    for (const path of ['/console', '/console/*']) {
      app.get(path, (_request, reply) => {
        reply.headers({ 'cache-control': 'no-cache' }).type('text/html; charset=utf-8')
        return index === null ? reply.code(503).send(UNBUILT) : reply.send(index)
      })
    }
  }
}

function answerAsset({ type, content }: Asset, { headers }: FastifyRequest, reply: FastifyReply) {
  const encoding = encodingFor(headers['accept-encoding'])
  const encoded = content[encoding]
  reply.headers({ 'cache-control': IMMUTABLE, vary: 'accept-encoding' }).type(type)
  if (encoded === undefined || encoding === 'identity') return reply.send(content.identity)
  return reply.header('content-encoding', encoding).send(encoded)
}

function answerNotFound({ id }: FastifyRequest, reply: FastifyReply, baseUrl: string) {
  const problem = new Problem('not-found', 'There is nothing at this path.')
  reply.code(problem.status).headers({ 'x-request-id': id, 'cache-control': 'no-store' }).type(PROBLEM_TYPE)
  return reply.send(problemBody(problem, baseUrl, id))
}

/** Null where the console is not built. */
function readIndex(folder: string): Buffer | null {
  try {
    return readFileSync(join(folder, 'index.html'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** A few files of less than two megabytes together, so they stay in memory. No path of a request reaches the disk. */
function readAssets(folder: string): Map<string, Asset> {
  const all = readdirSync(folder)
  const names = all.filter((name) => !ENCODED.some(([, ending]) => name.endsWith(ending)))
  const read = (name: string) => readFileSync(join(folder, name))
  return new Map(
    names.map((name) => {
      const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
      const encoded = ENCODED.filter(([, ending]) => all.includes(name + ending))
      const content = Object.fromEntries(encoded.map(([encoding, ending]) => [encoding, read(name + ending)]))
      return [name, { type, content: { ...content, identity: read(name) } }]
    }),
  )
}
