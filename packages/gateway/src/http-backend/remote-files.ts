// Streams a backend's files over separate connections, so that slow downloads never delay the calls.

import type { Readable } from 'node:stream'
import { type ByteRange, type FileReference, MAX, type OpenedFile } from '@clinic-data/contract'
import { PORT_LIMITS, portPaths } from '@clinic-data/contract/port'
import { Backends, type BackendsOptions } from './backends.ts'
import { PortFailure } from './port-failure.ts'
import { readFile } from './read-answer.ts'

/** Each file uses a connection for as long as its client reads. */
const MAX_OPEN = 64
/** 100 MiB at 1 Mbit/s. A slower client would hold a connection for too long. */
const LIFETIME_MS = 15 * 60_000

export class RemoteFiles {
  readonly #backends: Backends
  #open = 0

  constructor(options: BackendsOptions) {
    this.#backends = new Backends({ ...options, connections: MAX_OPEN, waiting: 0, maxResponseBytes: MAX.file })
  }

  /** @throws Problem or PortFailure; PortFailure also when too many files are open. */
  async open(file: FileReference, range: ByteRange | null, address: string | null = null): Promise<OpenedFile> {
    if (this.#open >= MAX_OPEN) throw new PortFailure('shed', 'too many files are open')
    this.#open++
    const opened = await this.#ask(file, range, address).catch((error) => {
      this.#open--
      throw error
    })
    if (opened.state === 'open') this.#watch(opened.stream)
    else this.#open--
    return opened
  }

  /** Breaks off the files that are still being read. */
  close(): Promise<void> {
    return this.#backends.destroy()
  }

  #ask(file: FileReference, range: ByteRange | null, address: string | null): Promise<OpenedFile> {
    const body = JSON.stringify({ file, range })
    const deadline = performance.now() + PORT_LIMITS.deadline_ms
    return this.#backends.call(
      { method: 'POST', path: portPaths.files, body, deadline, isRepeatable: true, clientAddress: address },
      readFile,
    )
  }

  #watch(stream: Readable): void {
    const timer = setTimeout(() => stream.destroy(new Error('the file was read too slowly')), LIFETIME_MS).unref()
    stream.once('close', () => {
      clearTimeout(timer)
      this.#open--
    })
  }
}
