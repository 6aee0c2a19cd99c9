// The pages that need no key: the OpenAPI document, the reference below `/docs`, and the meaning of each problem at `/problems`.
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { Problem, problems } from '@clinic-data/contract'
import { forGenerators } from '@clinic-data/contract/generators/openapi-shapes'
import { guide } from '@clinic-data/contract/projections/guide'
import { openapi } from '@clinic-data/contract/projections/openapi'
import type { OpenApiDocument } from '@clinic-data/contract/projections/openapi-document'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Encoding, encodingFor } from '../answers/encoding.ts'
import { etagOf, matches } from '../answers/etag.ts'
import { unknownPath } from '../answers/problem-response.ts'
import type { McpPages } from '../mcp/mcp-route.ts'
import type { ServedPackage, ServedPackages } from '../packages/served-package.ts'
import { contentsOf, PLACES, readingOrder } from './contents.ts'
import { firstSentence } from './markdown.ts'
import { markdownPath, markdownPaths } from './markdown-pages.ts'
import { assets, ICON_PATH, missingPage, PAGE_POLICY, type Served } from './page-frame.ts'
import { problemIndexPage, problemPage } from './problem-pages.ts'
import { referencePages } from './reference-pages.ts'
import { PROGRAMS, repositoryText } from './repository-page.ts'

/** Pages change only with a release. */
const PAGE_CACHED = 'public, max-age=300'
/** The address of an asset changes with its content. */
const ASSET_CACHED = 'public, max-age=31536000, immutable'

/** Addresses that people type. */
const LEAD_ON: Readonly<Record<string, string>> = {
  '/': PLACES.home.path,
  '/docs/': PLACES.home.path,
  '/docs/quickstart': '/docs/quick-start',
}

/**
 * These pages require no key, so requests for them must be cheap: each encoding is made once. It is made at its first request and by
 * another thread, because all of them would take a second of every start. The pages are written at the first request for one of them:
 * that takes a twentieth of a second.
 */
type Ready = { type: string; etag: string } & Record<Encoding, () => Promise<Buffer>>

/** The page on what can be installed waits until the packages are packed: it shows their hashes. */
const PACKED_WITHIN_MS = 60_000

export interface Pages extends McpPages {
  readonly routes: readonly { path: string; method: string }[]
}

/**
 * Adds the routes and returns them, with the parts of the pages that the MCP server hands out.
 *
 * @param toolsWrite whether that server has tools that write.
 */
export function pageRoutes(
  app: FastifyInstance,
  baseUrl: string,
  packages?: ServedPackages,
  toolsWrite = false,
): Pages {
  const document = openapi(baseUrl)
  const contents = contentsOf(document, guide(baseUrl, toolsWrite))
  const reference = once(() => referencePages(document, contents, new Date()))
  const pages = new Map<string, () => Served>([
    ['/v1/openapi.json', () => openapiFile(document)],
    ...readingOrder(contents).map(({ path }): [string, () => Served] => [path, () => pageAt(reference().pages, path)]),
    ...Object.entries(PROGRAMS).map(([path, file]): [string, () => Served] => [path, () => programFile(file)]),
    ['/docs/search.json', () => reference().search],
    ...markdownPaths(contents).map((path): [string, () => Served] => [path, () => pageAt(reference().markdown, path)]),
    [PLACES.problems.path, () => problemIndexPage(contents)],
    ...Object.entries(assets).map(([path, asset]): [string, () => Served] => [path, () => asset]),
  ])
  if (packages) {
    const install = withPackages(packages, (packed) => reference().install(packed))
    app.get(PLACES.install.path, { compress: false, handlerTimeout: PACKED_WITHIN_MS }, async (request, reply) =>
      send(request, reply, await install(), PAGE_CACHED),
    )
  }
  for (const [path, page] of pages) {
    if (packages && path === PLACES.install.path) continue
    const ready = once(() => encoded(page()))
    app.get(path, { compress: false }, (request, reply) =>
      send(request, reply, ready(), path in assets ? ASSET_CACHED : PAGE_CACHED),
    )
  }
  const problemPages = new Map<string, Ready>()
  for (const slug of Object.keys(problems)) {
    const page = problemPage(slug, baseUrl, contents)
    if (page) problemPages.set(slug, encoded(page))
  }
  app.get('/problems/:slug', { compress: false }, (request, reply) => {
    const ready = problemPages.get((request.params as { slug: string }).slug)
    if (!ready) throw new Problem('not-found', 'There is no such problem. All of them are listed at /problems.')
    return send(request, reply, ready, PAGE_CACHED)
  })
  const missing = once(() => encoded(missingPage(contents)))
  app.get('/docs/*', { compress: false }, (request, reply) => {
    reply.header('vary', 'Accept')
    if (!request.headers.accept?.includes('text/html')) throw unknownPath(request.url.split('?', 1)[0])
    return send(request, reply.code(404), missing(), 'no-store')
  })
  for (const [path, place] of Object.entries(LEAD_ON)) app.get(path, (_request, reply) => reply.redirect(place))
  const paths = [...pages.keys(), ...Object.keys(LEAD_ON), '/problems/{slug}']
  return {
    routes: paths.map((path) => ({ path, method: 'GET' })),
    icon: ICON_PATH,
    guide: () =>
      contents.guides.map(({ path, title, markdown }) => ({
        uri: baseUrl + markdownPath(path),
        title,
        description: firstSentence(markdown),
        text: () => pageAt(reference().markdown, markdownPath(path)).body,
      })),
  }
}

function openapiFile(document: OpenApiDocument): Served {
  const body = JSON.stringify(forGenerators(document))
  return { body, type: 'application/json; charset=utf-8', etag: etagOf(body) }
}

/** As text, so that a browser shows it. */
function programFile(file: (typeof PROGRAMS)[keyof typeof PROGRAMS]): Served {
  const body = repositoryText(file)
  return { body, type: 'text/plain; charset=utf-8', etag: etagOf(body) }
}

function pageAt(pages: ReadonlyMap<string, Served>, path: string): Served {
  const page = pages.get(path)
  if (page === undefined) throw new Error(`there is no page at ${path}`)
  return page
}

/** Makes the page once for the same packages. Without them, while they cannot be packed, it shows no hashes. */
function withPackages(
  packages: ServedPackages,
  made: (packed: readonly ServedPackage[]) => Served,
): () => Promise<Ready> {
  let of: readonly ServedPackage[] | undefined
  let ready: Ready | undefined
  return async () => {
    const packed = await packages().catch(() => NONE)
    if (of !== packed || !ready) ready = encoded(made(packed))
    of = packed
    return ready
  }
}

const NONE: readonly ServedPackage[] = []

function encoded({ body, type, etag }: Served): Ready {
  const identity = Buffer.from(body)
  // Weak, because it is the same for every encoding.
  return {
    type,
    etag: `W/${etag.replace(/^W\//, '')}`,
    identity: async () => identity,
    br: once(() => promisify(brotliCompress)(identity)),
    gzip: once(() => promisify(gzip)(identity)),
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

async function send(request: FastifyRequest, reply: FastifyReply, ready: Ready, cached: string): Promise<FastifyReply> {
  const { type, etag } = ready
  reply.headers({ 'cache-control': cached, 'content-security-policy': PAGE_POLICY, vary: 'Accept-Encoding', etag })
  const known = request.headers['if-none-match']
  if (known !== undefined && matches(known, etag)) return reply.code(304).send()
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(type).send(await ready[encoding]())
}
