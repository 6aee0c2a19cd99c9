// Sends several calls to a backend in one message, and gives each its answer as soon as its line arrives.
//
// To the breaker a message is one call: it fails when the message does, or when one of its calls shows that the backend is unwell
// (docs/decisions/0049).
import type { IncomingHttpHeaders } from 'node:http'
import { PORT_LIMITS, portHeaders, portPaths } from '@clinic-data/contract/port'
import { type PortReply, UnusableAnswer } from '@clinic-data/contract/port-answer'
import { PortLines } from '@clinic-data/contract/port-lines'
import { contractMark } from '@clinic-data/contract/written-reply'
import type { Dispatcher } from 'undici'
import type { Call } from './port-call.ts'
import { failureOf, PortFailure } from './port-failure.ts'

/** The backend knows no messages of several calls: none of them was begun. */
class NotTaken extends Error {
  override name = 'NotTaken'
}

/** A call that shares a message. */
class GroupedCall {
  readonly call: Call
  /** Whether it has its answer, or has failed. */
  isEnded = false
  /** Why the call says that the backend is unwell. */
  symptom: PortFailure | null = null
  readonly #isFair: boolean
  readonly #take: (reply: PortReply) => void
  readonly #refuse: (error: unknown) => void

  /** @param isFair whether a late answer would say something about the backend. */
  constructor(call: Call, isFair: boolean, take: (reply: PortReply) => void, refuse: (error: unknown) => void) {
    this.call = call
    this.#isFair = isFair
    this.#take = take
    this.#refuse = refuse
  }

  /** Takes the answer, unless the call was given up. */
  answer(reply: PortReply): void {
    if (this.isEnded) return
    this.isEnded = true
    try {
      if (performance.now() > this.call.deadline) throw this.#late()
      this.#take(reply)
    } catch (error) {
      this.#fail(failureOf(error))
    }
  }

  /** Ends the call without an answer, if it has none yet. */
  fail(error: unknown): void {
    if (this.isEnded) return
    this.isEnded = true
    this.#fail(error)
  }

  giveUp(): void {
    this.fail(this.#late())
  }

  #late(): PortFailure {
    return new PortFailure('late', 'the deadline passed', { isSymptom: this.#isFair })
  }

  #fail(error: unknown): void {
    if (error instanceof PortFailure && error.isSymptom) this.symptom = error
    this.#refuse(error)
  }
}

export interface CallGroupsOptions {
  dispatcher: Dispatcher
  /** The beginning of the backend's path, before the port's own. */
  prefix: string
  authorization: string
  /** Gets the headers of each answer as soon as they come, and when its message was sent (`performance.now()`). */
  heed: (headers: IncomingHttpHeaders, sentAt: number) => void
  /** Sends a message, unless the breaker is open. */
  guard: (ask: () => Promise<void>) => Promise<void>
}

/** The calls of one backend. */
export class CallGroups {
  readonly #options: CallGroupsOptions
  /** Not sent yet. */
  #group: GroupedCall[] = []

  constructor(options: CallGroupsOptions) {
    this.#options = options
  }

  /**
   * Waits for the calls of this turn of the event loop, then sends them together. Null when the backend takes only single calls.
   *
   * @param isFair whether a late answer would say something about the backend.
   */
  ask<T>(call: Call, isFair: boolean, read: (reply: PortReply) => T): Promise<{ value: T } | null> {
    return new Promise((resolve, reject) => {
      const refuse = (error: unknown) => (error instanceof NotTaken ? resolve(null) : reject(error))
      const grouped = new GroupedCall(call, isFair, (reply) => resolve({ value: read(reply) }), refuse)
      if (this.#group.push(grouped) === 1) setImmediate(() => this.send())
      if (this.#group.length === PORT_LIMITS.calls) this.send()
    })
  }

  /** Sends the waiting calls now. */
  send(): void {
    const group = this.#group
    if (group.length === 0) return
    this.#group = []
    this.#options
      .guard(() => askTogether(this.#options, group))
      .catch((error) => {
        for (const call of group) call.fail(error)
      })
  }
}

/**
 * Resolves when every call has ended.
 *
 * @throws PortFailure that says something about the backend's health. Each call has been told already.
 */
function askTogether(
  { dispatcher, prefix, authorization, heed }: CallGroupsOptions,
  group: readonly GroupedCall[],
): Promise<void> {
  const headers = {
    authorization,
    'content-type': 'application/json',
    [portHeaders.compares_networks]: '1',
    [portHeaders.contract]: contractMark(),
  }
  const body = `{"calls":[${group.map(callText).join(',')}]}`
  return new Promise((resolve, reject) => {
    const end = (error?: unknown) => {
      if (error !== undefined) for (const call of group) call.fail(error)
      const symptom = group.find((call) => call.symptom !== null)?.symptom
      if (symptom) reject(symptom)
      else resolve()
    }
    dispatcher.dispatch(
      { method: 'POST', path: prefix + portPaths.calls, headers, body },
      new GroupHandler({ group, heed, end }),
    )
  })
}

function callText({ call: { path, body, requestId, deadline } }: GroupedCall): string {
  const deadline_ms = Math.max(0, Math.floor(deadline - performance.now()))
  const request_id = requestId === undefined ? '' : `"request_id":${JSON.stringify(requestId)},`
  return `{"path":"${path}","deadline_ms":${deadline_ms},${request_id}"body":${body}}`
}

interface Message extends Pick<CallGroupsOptions, 'heed'> {
  group: readonly GroupedCall[]
  /** Called once. The error is that of the calls which have no answer. */
  end: (error?: unknown) => void
}

/** Reads the answer to a message. */
class GroupHandler implements Dispatcher.DispatchHandler {
  readonly #message: Message
  readonly #lines: PortLines
  readonly #sentAt = performance.now()
  #timer: NodeJS.Timeout | undefined
  #controller: Dispatcher.DispatchController | undefined
  #status = 0
  /** The body of another answer than 200: one text for all. */
  #text = ''

  constructor(message: Message) {
    this.#message = message
    this.#lines = new PortLines((place, reply) => {
      const call = message.group[place]
      if (call === undefined) throw new UnusableAnswer('an answer to no call')
      call.answer(reply)
    })
    this.#giveUpLate()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    this.#giveUpLate()
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status
    this.#message.heed(headers, this.#sentAt)
  }

  onResponseData(controller: Dispatcher.DispatchController, bytes: Buffer): void {
    try {
      if (this.#status === 200) this.#lines.read(bytes)
      else if (this.#text.length < PORT_LIMITS.response_bytes) this.#text += bytes.toString()
    } catch (error) {
      controller.abort(error as Error)
    }
  }

  onResponseEnd(): void {
    const { group } = this.#message
    const isAnswered = this.#status !== 200 && this.#status !== 404
    if (isAnswered) for (const call of group) call.answer({ status: this.#status, text: this.#text })
    if (group.every((call) => call.isEnded)) this.#end()
    else if (this.#status === 404) this.#end(new NotTaken())
    else this.#end(new PortFailure('unusable', 'no answer to one of several calls'))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(failureOf(error))
  }

  #end(error?: unknown): void {
    clearTimeout(this.#timer)
    this.#message.end(error)
  }

  /** Ends each call at its deadline, and the message when no call waits any more. */
  #giveUpLate(): void {
    clearTimeout(this.#timer)
    const now = performance.now()
    let next = Number.POSITIVE_INFINITY
    for (const call of this.#message.group) {
      if (call.call.deadline <= now) call.giveUp()
      if (!call.isEnded) next = Math.min(next, call.call.deadline)
    }
    if (next < Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.#giveUpLate(), next - now)
    else this.#controller?.abort(new Error('every deadline passed'))
  }
}
