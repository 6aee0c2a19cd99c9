// One end of the channel between the primary process and a worker. Each end asks, and answers the other's questions.
//
//   const link = new Link<ToPrimary>(process, { collect: () => exporter.collect() })
//   const taken = await link.ask('take', takes)
//   link.tell('due', clinic_id)
import type { ChildProcess } from 'node:child_process'

/** The topics that an end answers: what is asked, and what is answered. */
export type Topics = Record<string, (value: never) => unknown>

export type Channel = Pick<NodeJS.Process | ChildProcess, 'send' | 'on'>

type ValueOf<T> = T extends (value: infer V) => unknown ? V : never
type AnswerOf<T> = T extends (value: never) => infer R ? Awaited<R> : never

/** A question (its number is 0 when no answer is wanted), or an answer (no topic), or a failure (its text). */
type Message = readonly [topic: string | null, number: number, value: unknown, failure?: string]

interface Pending {
  resolve: (value: unknown) => void
  reject: (error: Error) => void
}

export class Link<Other extends Topics> {
  readonly #channel: Channel
  readonly #answers: Topics
  readonly #pending = new Map<number, Pending>()
  #last = 0

  constructor(channel: Channel, answers: Topics) {
    this.#channel = channel
    this.#answers = answers
    channel.on('message', (message: Message) => this.#read(message))
  }

  /** @throws (rejects) Error when the other end fails, or is gone. */
  ask<K extends keyof Other & string>(topic: K, value: ValueOf<Other[K]>): Promise<AnswerOf<Other[K]>> {
    const number = ++this.#last
    return new Promise((resolve, reject) => {
      this.#pending.set(number, { resolve: resolve as Pending['resolve'], reject })
      this.#send([topic, number, value])
    })
  }

  /** Sends what needs no answer. It is lost when the other end is gone. */
  tell<K extends keyof Other & string>(topic: K, value: ValueOf<Other[K]>): void {
    this.#send([topic, 0, value])
  }

  /** Fails every question that waits. Call it when the other end is gone. */
  close(): void {
    const gone = new Error('the other process has ended')
    for (const { reject } of this.#pending.values()) reject(gone)
    this.#pending.clear()
  }

  #send(message: Message): void {
    // A broken channel is reported by the exit of the other process.
    this.#channel.send?.(message, undefined, undefined, () => undefined)
  }

  #read([topic, number, value, failure]: Message): void {
    if (topic !== null) void this.#answer(topic, number, value)
    else {
      const pending = this.#pending.get(number)
      this.#pending.delete(number)
      if (failure === undefined) pending?.resolve(value)
      else pending?.reject(new Error(failure))
    }
  }

  async #answer(topic: string, number: number, value: unknown): Promise<void> {
    try {
      const answer = await (this.#answers[topic] as (value: unknown) => unknown)(value)
      if (number !== 0) this.#send([null, number, answer])
    } catch (error) {
      if (number !== 0) this.#send([null, number, null, error instanceof Error ? error.message : String(error)])
    }
  }
}
