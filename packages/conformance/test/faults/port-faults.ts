// Faults of the port itself, of keys and of the audit log.
import type { Backend } from '@clinic-data/contract'
import { portPaths } from '@clinic-data/contract/port'
import type { Fault } from './fault.ts'

export const port: readonly Fault[] = [
  {
    says: 'speaks another version',
    breaks: ['port.ready'],
    before: (app) =>
      app.addHook('onSend', async ({ url }, reply, payload) =>
        url === portPaths.ready && reply.statusCode === 200 ? '{"version":2}' : payload,
      ),
  },
  {
    says: 'accepts calls without the token',
    breaks: ['port.token'],
    before: (app, token) =>
      app.addHook('onRequest', async ({ headers }) => {
        headers.authorization ??= `Bearer ${token}`
      }),
  },
  {
    says: 'answers every path',
    breaks: ['port.unknown-path'],
    before: (app) => app.setNotFoundHandler((_, reply) => reply.send({})),
  },
  {
    says: 'answers a body that is not JSON with 500',
    breaks: ['port.form'],
    before: (app) =>
      app.addHook('onSend', async ({ url }, reply, payload) => {
        if (url === portPaths.authenticate && reply.statusCode === 400) reply.code(500)
        return payload
      }),
  },
  {
    says: 'ignores deadlines',
    breaks: ['port.deadline'],
    before: (app) =>
      app.addHook('onRequest', async ({ headers }) => {
        delete headers['x-deadline-ms']
      }),
  },
  {
    says: 'ignores the deadlines of calls that share a message',
    breaks: ['port.several-calls'],
    before: (app) =>
      app.addHook('preHandler', async ({ url, body }) => {
        if (url !== portPaths.calls) return
        for (const call of (body as { calls: { deadline_ms: number }[] }).calls) call.deadline_ms = 8000
      }),
  },
  {
    says: 'opens a clinic to any key, and gives its expiry in seconds',
    breaks: ['keys.principal', 'keys.unknown'],
    wrap: (backend) => {
      let known: Awaited<ReturnType<Backend['authenticate']>> = null
      return {
        ...backend,
        authenticate: async (hash) => {
          known = (await backend.authenticate(hash)) ?? known
          return known && { ...known, expires_at: Math.floor(Date.now() / 1000) + 86_400 }
        },
      }
    },
  },
  {
    says: 'refuses audit rows of the surface mcp',
    breaks: ['audit.stored'],
    before: (app) =>
      app.addHook('preHandler', async ({ url, body }, reply) => {
        if (url === portPaths.audit && JSON.stringify(body).includes('"mcp"')) return reply.code(400).send({})
      }),
  },
  {
    says: 'accepts bodies of at most a megabyte',
    breaks: ['audit.full-group'],
    before: (app) =>
      app.addHook('onRequest', async ({ headers }, reply) => {
        if (Number(headers['content-length']) > 1_000_000) return reply.code(413).send({})
      }),
  },
  {
    says: 'stores an unknown surface as REST',
    breaks: ['audit.malformed'],
    before: (app) =>
      app.addHook('preHandler', async ({ url, body }) => {
        const { rows } = (body ?? {}) as { rows?: unknown }
        if (url !== portPaths.audit || !Array.isArray(rows)) return
        for (const row of rows) if (row.surface === 'fax') row.surface = 'rest'
      }),
  },
]
