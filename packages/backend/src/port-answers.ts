// Answers several calls that came in one message: each call's line leaves as soon as the call is answered.
import type { ServerResponse } from 'node:http'
import { portLine } from '@clinic-data/contract/port-lines'
import type { AnswerCall, PortCall } from './port-calls.ts'

/** Never rejects: a gateway that has left is told nothing. */
export function answerTogether(calls: readonly PortCall[], answer: AnswerCall, response: ServerResponse): void {
  let left = calls.length
  let lines = ''
  const send = () => {
    if (response.destroyed) return
    if (left === 0) response.end(lines)
    else response.write(lines)
    lines = ''
  }
  for (const [place, call] of calls.entries()) {
    void answer(call).then((reply) => {
      left--
      // The answers of one turn of the event loop leave together.
      if (lines === '') setImmediate(send)
      lines += portLine(place, reply)
    })
  }
}
