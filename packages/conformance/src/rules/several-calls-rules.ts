// Several calls in one message, of a backend that says it takes them: each is answered as it would be alone.
import { isDeepStrictEqual } from 'node:util'
import { jsonOf } from '@clinic-data/contract/json-text'
import { portHeaders, portPaths } from '@clinic-data/contract/port'
import type { PortReply } from '@clinic-data/contract/port-answer'
import { PortLines } from '@clinic-data/contract/port-lines'
import { inputOf } from '../clinic-under-test.ts'
import type { Rule, Trial } from '../rule.ts'

interface Shared {
  words: string
  path: string
  deadline_ms: number
  body: unknown
  /** Null: that of the same call alone, with its body. */
  status: number | null
}

const IN_TIME_MS = 8000

/** Calls that change nothing, among them one that is late and one that no backend knows. */
function sharedCalls({ ground, clinic }: Trial): Shared[] {
  const operation = ground.operations.find(({ id }) => id === 'me.get') ?? ground.operations[0]
  const { principal } = clinic
  const me = operation && {
    path: portPaths.operation(operation.id),
    body: { principal, input: inputOf(operation, {}) },
  }
  const key = { path: portPaths.authenticate, body: { key_hash: ground.keyHash } }
  return [
    ...(me ? [{ words: 'an operation', ...me, deadline_ms: IN_TIME_MS, status: null }] : []),
    { words: "the key's owner", ...key, deadline_ms: IN_TIME_MS, status: null },
    { words: 'no audit rows', path: portPaths.audit, body: { rows: [] }, deadline_ms: IN_TIME_MS, status: null },
    {
      words: 'an unknown operation',
      path: portPaths.operation('no.such'),
      body: {},
      deadline_ms: IN_TIME_MS,
      status: 404,
    },
    { words: 'a deadline that has passed: deadline_ms 0', ...key, deadline_ms: 0, status: 503 },
  ]
}

const severalCalls: Rule = {
  name: 'port.several-calls',
  protects: 'A call that shares a message with others has the same answer and the same time as alone.',
  needs: ['clinic'],
  async check(trial) {
    const { headers } = await trial.port.call(portPaths.ready, { method: 'GET' })
    // A gateway sends such a message only to a backend that takes them: without the header the rule holds.
    if (headers[portHeaders.takes_calls] === undefined) {
      trial.tried += 1
      return
    }
    const shared = sharedCalls(trial)
    const body = { calls: shared.map(({ path, deadline_ms, body }) => ({ path, deadline_ms, body })) }
    const replies = repliesIn((await trial.port.call(portPaths.calls, { body })).bytes)
    for (const [place, { words, path, body, status }] of shared.entries()) {
      const came = replies[place]
      const alone = status === null ? await trial.port.call(path, { body }) : null
      const expected = status ?? alone?.status
      const isSame = alone === null || isDeepStrictEqual(jsonOf(came?.text ?? ''), jsonOf(alone.bytes.toString()))
      trial
        .saw(
          `POST ${portPaths.calls}`,
          words,
          came === undefined ? 'no line' : `the status ${came.status}${isSame ? '' : ', another body'}`,
        )
        .expect(
          `a line with the status ${expected}${alone === null ? '' : ', and the body of the call alone'}`,
          came?.status === expected && isSame,
        )
    }
    const stranger = await trial.port.call(portPaths.calls, { body, authorization: null })
    trial
      .saw(`POST ${portPaths.calls}`, 'no token', `the status ${stranger.status}`)
      .expect('401, before anything else is checked', stranger.status === 401)
  },
}

function repliesIn(bytes: Buffer): (PortReply | undefined)[] {
  const replies: (PortReply | undefined)[] = []
  try {
    new PortLines((place, reply) => {
      replies[place] = reply
    }).read(bytes)
  } catch {
    // The lines before the wrong one count.
  }
  return replies
}

export const severalCallsRules: readonly Rule[] = [severalCalls]
