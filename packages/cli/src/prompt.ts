// Asks the user questions at a terminal, on standard error. Only `sc login` loads this file.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Interrupted, type ProcessContext } from './process-context.ts'

/** One reader for all questions: text that is typed ahead answers the next one, and nothing is echoed in between. */
export class Prompt {
  readonly #stderr: ProcessContext['stderr']
  readonly #lines: ReturnType<typeof createInterface>
  readonly #typed: AsyncIterator<string>
  #isHidden = false

  constructor({ stdin, stderr, signal }: Pick<ProcessContext, 'stdin' | 'stderr' | 'signal'>) {
    const output = new Writable({
      write: (text: Buffer, _, done) => {
        // Not awaited: a delayed write would appear after the next question, or be hidden with it.
        if (!this.#isHidden) stderr.write(String(text)).catch(() => undefined)
        done()
      },
    })
    this.#stderr = stderr
    this.#lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 })
    this.#typed = this.#lines[Symbol.asyncIterator]()
    // In key-by-key mode we must handle Ctrl-C ourselves. Ctrl-D closes the reader without our help.
    this.#lines.once('SIGINT', () => this.#lines.close())
    signal.addEventListener('abort', () => this.#lines.close(), { once: true })
  }

  /** Asks with a visible answer. An empty answer means `otherwise`. @throws Interrupted */
  async ask(question: string, otherwise: string | null): Promise<string> {
    this.#lines.setPrompt(`${question}${otherwise === null ? '' : ` [${otherwise}]`}: `)
    this.#lines.prompt()
    return (await this.#next()) || (otherwise ?? '')
  }

  /** Asks with a hidden answer. @throws Interrupted */
  async askSecret(question: string): Promise<string> {
    await this.#stderr.write(`${question}: `)
    this.#isHidden = true
    try {
      return await this.#next()
    } finally {
      this.#isHidden = false
      await this.#stderr.write('\n')
    }
  }

  close(): void {
    this.#lines.close()
  }

  async #next(): Promise<string> {
    const { value, done } = await this.#typed.next()
    if (done) {
      await this.#stderr.write('\n')
      throw new Interrupted()
    }
    return value.trim()
  }
}
