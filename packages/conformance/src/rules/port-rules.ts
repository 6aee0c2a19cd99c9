// The port itself: it is ready, refuses calls without the token, and answers malformed calls as agreed.
import { randomBytes } from 'node:crypto'
import { jsonOf } from '@clinic-data/contract/json-text'
import { PORT_VERSION, portForms, portPaths } from '@clinic-data/contract/port'
import { inputOf } from '../clinic-under-test.ts'
import type { CallOptions, Reply } from '../port-caller.ts'
import type { Rule, Trial } from '../rule.ts'

interface Endpoint extends Pick<CallOptions, 'method' | 'body'> {
  name: string
  path: string
}

/** One well-formed call of every kind. */
function endpoints({ ground }: Trial): Endpoint[] {
  const { keyHash, operations, side } = ground
  const principal = side?.clinic.principal
  const operation = operations.find(({ id }) => id === 'me.get') ?? operations[0]
  const { clinic_id = 'none' } = principal?.clinic ?? {}
  const file = { clinic_id, key_id: principal?.key_id ?? 'none', file_id: 'no-such-file' }
  return [
    { name: 'ready', path: portPaths.ready, method: 'GET' },
    { name: 'authenticate', path: portPaths.authenticate, body: { key_hash: keyHash } },
    ...(operation && principal
      ? [
          {
            name: operation.id,
            path: portPaths.operation(operation.id),
            body: { principal, input: inputOf(operation, {}) },
          },
        ]
      : []),
    { name: 'audit', path: portPaths.audit, body: { rows: [] } },
    { name: 'files', path: portPaths.files, body: { file, range: null } },
  ]
}

const ready: Rule = {
  name: 'port.ready',
  protects: 'A gateway takes traffic only while its backend answers, in a port version that both speak.',
  needs: [],
  async check(trial) {
    const reply = await trial.port.call(portPaths.ready, { method: 'GET' })
    const body = parsed(reply)
    const isRight = reply.status === 200 && portForms.ready.accepts(body) && body.version === PORT_VERSION
    trial
      .saw(
        `GET ${portPaths.ready}`,
        'no parameters',
        portForms.ready.accepts(body) ? `${reply.status}, version ${body.version}` : statusOf(reply),
      )
      .expect(`200 {"version":${PORT_VERSION}}`, isRight)
  },
}

const token: Rule = {
  name: 'port.token',
  protects:
    'The holder of the token may name any clinic, so a call without the token gets no answer, whatever else it sends.',
  needs: [],
  async check(trial) {
    const { authorization } = trial.port
    const bare = authorization.slice('Bearer '.length)
    const strangers: [words: string, header: string | null][] = [
      ['no token', null],
      ['another token', `Bearer ${randomBytes(24).toString('hex')}`],
      ['a token that is one character too short', authorization.slice(0, -1)],
      ['a token that is one character too long', `${authorization}x`],
      ['the token without its scheme', bare],
      ['the token in another scheme', `Basic ${Buffer.from(`:${bare}`).toString('base64')}`],
      ['an empty token', 'Bearer '],
    ]
    for (const { name, path, method = 'POST', body } of endpoints(trial)) {
      const bodies: [words: string, sent: CallOptions][] =
        method === 'GET'
          ? [['', {}]]
          : [
              ['', { body }],
              [' and a body that is not JSON', { text: '{"' }],
            ]
      for (const [words, header] of strangers) {
        for (const [also, sent] of bodies) {
          const reply = await trial.port.call(path, { method, authorization: header, ...sent })
          trial
            .saw(name, words + also, statusOf(reply))
            .expect('401, before anything else is checked', reply.status === 401)
        }
      }
    }
  },
}

const unknownPath: Rule = {
  name: 'port.unknown-path',
  protects: 'A gateway of a later version learns that this backend lacks an operation.',
  needs: [],
  async check(trial) {
    for (const path of [portPaths.operation('no.such.operation'), '/port/no-such-call']) {
      const reply = await trial.port.call(path, { body: {} })
      trial.saw(`POST ${path}`, 'no parameters', statusOf(reply)).expect('404', reply.status === 404)
    }
  },
}

const form: Rule = {
  name: 'port.form',
  protects: 'A malformed call is refused as the caller’s fault, not reported as a fault of the backend.',
  needs: [],
  async check(trial) {
    for (const { name, path, body } of endpoints(trial)) {
      if (body === undefined) continue
      for (const [words, sent] of malformed(name, body)) {
        const reply = await trial.port.call(path, sent)
        trial
          .saw(name, words, statusOf(reply))
          .expect('a status from 400 to 499', reply.status >= 400 && reply.status < 500)
      }
    }
  },
}

function malformed(name: string, body: unknown): [words: string, sent: CallOptions][] {
  const common: [string, CallOptions][] = [
    ['a body that is not JSON', { text: '{"' }],
    ['an empty body', { text: '' }],
    ['the body null', { text: 'null' }],
    ['a list as the body', { body: [] }],
    ['an object without members', { body: {} }],
  ]
  if (name === 'authenticate') {
    const hashes: unknown[] = [5, null, 'abc', 'Z'.repeat(64), ['a'.repeat(64)]]
    return [
      ...common,
      ...hashes.map((key_hash): [string, CallOptions] => ['a malformed key_hash', { body: { key_hash } }]),
    ]
  }
  if (name === 'audit')
    return [
      ...common,
      ['rows that are not a list', { body: { rows: {} } }],
      ['a row without fields', { body: { rows: [{}] } }],
    ]
  if (name === 'files') {
    const { file } = body as { file: object }
    return [
      ...common,
      ['a file without an id', { body: { file: { ...file, file_id: undefined }, range: null } }],
      ['a range in words', { body: { file, range: 'bytes=0-1' } }],
      ['a range that begins before the file', { body: { file, range: { first: -1, last: null } } }],
    ]
  }
  const { principal, input } = body as { principal: object; input: { query: object } }
  const asking = (query: object) => ({ principal, input: { ...input, query: { ...input.query, ...query } } })
  return [
    ...common,
    ['no principal', { body: { input } }],
    ['a principal without a clinic', { body: { principal: { ...principal, clinic: undefined }, input } }],
    ['scopes that are not a list', { body: { principal: { ...principal, scopes: 'all' }, input } }],
    ['no input', { body: { principal } }],
    ['a limit of 0', { body: asking({ limit: 0 }) }],
    ['a limit that is a text', { body: asking({ limit: '25' }) }],
    ['a position that is a text', { body: asking({ after: 'x' }) }],
  ]
}

const deadline: Rule = {
  name: 'port.deadline',
  protects: 'Work that nobody waits for any more is dropped, so that a brief slowdown does not become an outage.',
  needs: [],
  async check(trial) {
    for (const { name, path, body } of endpoints(trial)) {
      if (body === undefined) continue
      const reply = await trial.port.call(path, { body, deadlineMs: 0 })
      trial
        .saw(name, 'a deadline that has passed: x-deadline-ms 0', statusOf(reply))
        .expect('503', reply.status === 503)
    }
  },
}

export const portRules: readonly Rule[] = [ready, token, unknownPath, form, deadline]

export function statusOf({ status }: Reply): string {
  return `the status ${status}`
}

export function parsed({ bytes }: Reply): unknown {
  return jsonOf(bytes.toString())
}
