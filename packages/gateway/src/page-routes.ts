// The pages that need no key: the OpenAPI document, the reference at `/docs`, what each problem means at `/problems`.
import { openapi } from '@clinic-data/contract/projections/openapi'
import type { FastifyInstance } from 'fastify'

/** They change with a release only. */
const CACHED = 'public, max-age=300'

/** Adds the routes and tells which they are. */
export function pageRoutes(app: FastifyInstance, baseUrl: string): { path: string; method: string }[] {
  const document = JSON.stringify(openapi(baseUrl))
  app.get('/v1/openapi.json', (_request, reply) =>
    reply.header('cache-control', CACHED).type('application/json; charset=utf-8').send(document),
  )
  return [{ path: '/v1/openapi.json', method: 'GET' }]
}
