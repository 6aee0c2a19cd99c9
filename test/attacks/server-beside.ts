// A server that nobody attacks, in its own thread beside the attacked one. Its response times show how slow the machine itself is,
// including the attacker's use of the processors.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

/** About the cost of a read, including its database. */
const WORK_MS = 2

export async function serverBeside(): Promise<{ url: string; stop(): Promise<unknown> }> {
  const worker = new Worker(import.meta.filename)
  const [port] = (await once(worker, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}/`, stop: () => worker.terminate() }
}

function cpuMicroseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/** Runs in the thread. */
function run(): void {
  const server = createServer((_request, response) => {
    const until = cpuMicroseconds() + WORK_MS * 1000
    while (cpuMicroseconds() < until);
    response.end('ok')
  }).listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
}

if (!isMainThread && parentPort !== null) run()
