// The pages that need no key: the OpenAPI document, the reference at `/docs`, what each problem means at `/problems`.
import { Problem } from '@clinic-data/contract'
import { openapi } from '@clinic-data/contract/projections/openapi'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, matches } from './etag.ts'
import { problemIndexPage, problemPage } from './problem-pages.ts'
import { assets, PAGE_POLICY, type Served } from './reference/page-frame.ts'
import { referencePage } from './reference-page.ts'

/** They change with a release only. */
const CACHED = 'public, max-age=300'

/** Adds the routes and tells which they are. */
export function pageRoutes(app: FastifyInstance, baseUrl: string): { path: string; method: string }[] {
  const document = openapi(baseUrl)
  const body = JSON.stringify(document)
  const pages = new Map<string, Served>([
    ['/v1/openapi.json', { body, type: 'application/json; charset=utf-8', etag: etagOf(body) }],
    ['/docs', referencePage(document)],
    ['/problems', problemIndexPage()],
    ...Object.entries(assets),
  ])
  for (const [path, page] of pages) app.get(path, (request, reply) => send(request, reply, page))
  app.get('/problems/:slug', (request, reply) => {
    const page = problemPage((request.params as { slug: string }).slug, baseUrl)
    if (!page) throw new Problem('not-found', 'There is no such problem. All of them are listed at /problems.')
    return send(request, reply, page)
  })
  return [...pages.keys(), '/problems/{slug}'].map((path) => ({ path, method: 'GET' }))
}

function send(request: FastifyRequest, reply: FastifyReply, { body, type, etag }: Served): FastifyReply {
  reply.headers({ 'cache-control': CACHED, 'content-security-policy': PAGE_POLICY, etag })
  const known = request.headers['if-none-match']
  return known !== undefined && matches(known, etag) ? reply.code(304).send() : reply.type(type).send(body)
}
