// `/packages`: the list of the packages that can be installed from here, and the files. They need no key, like the reference.
import { Problem } from '@clinic-data/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, matches } from '../answers/etag.ts'
import { PACKAGE_FILES, type ServedPackage, type ServedPackages } from './served-package.ts'

/** Packages change only with a release. */
const CACHED = 'public, max-age=300'
/** The first request may have to wait until they are packed. */
const WAIT_MS = 60_000
/** When to ask again for what could not be packed. */
const RETRY_SECONDS = 60

/** Adds the routes and returns them. */
export function packageRoutes(
  app: FastifyInstance,
  baseUrl: string,
  packages: ServedPackages,
): { path: string; method: string }[] {
  const options = { compress: false, handlerTimeout: WAIT_MS } as const
  const list = async (request: FastifyRequest, reply: FastifyReply) => {
    const data = (await packed(packages)).map((one) => listed(one, baseUrl))
    const body = JSON.stringify({ data })
    return send(request, reply, { type: 'application/json; charset=utf-8', etag: etagOf(body), body })
  }
  for (const path of LISTS) app.get(path, options, list)
  for (const file of PACKAGE_FILES) {
    app.get(`/packages/${file}`, options, async (request, reply) => {
      const found = (await packed(packages)).find((one) => one.file === file)
      if (!found) throw unavailable()
      return send(request, reply, { type: typeOf(file), etag: `"${found.integrity}"`, body: found.bytes })
    })
  }
  return [...LISTS, ...PACKAGE_FILES.map((file) => `/packages/${file}`)].map((path) => ({ path, method: 'GET' }))
}

function typeOf(file: string): string {
  return file.endsWith('.whl') ? 'application/zip' : 'application/gzip'
}

const LISTS = ['/packages', '/packages/']

async function packed(packages: ServedPackages): Promise<readonly ServedPackage[]> {
  try {
    return await packages()
  } catch (error) {
    throw unavailable(error)
  }
}

function unavailable(cause?: unknown): Problem {
  return new Problem('service-unavailable', 'The packages cannot be served now.', { retry_after: RETRY_SECONDS }, cause)
}

function listed({ name, version, file, bytes, integrity }: ServedPackage, baseUrl: string): object {
  return { name, version, url: `${baseUrl}/packages/${file}`, size_bytes: bytes.length, integrity }
}

interface Sent {
  readonly type: string
  readonly etag: string
  readonly body: string | Buffer
}

function send(request: FastifyRequest, reply: FastifyReply, { type, etag, body }: Sent): FastifyReply {
  reply.headers({ 'cache-control': CACHED, etag })
  const known = request.headers['if-none-match']
  if (known !== undefined && matches(known, etag)) return reply.code(304).send()
  return reply.type(type).send(body)
}
