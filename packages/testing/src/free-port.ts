// Ports that nothing listens on, for processes that must know their ports before they start, or come back to them.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that systems give to connections and to listeners on any port, and above those of known services. */
const [FIRST, LAST] = [20_000, 32_000]

/** All of them differ. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(FIRST, LAST)
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

/** Each is one more than the one before. */
export async function freePortsInARow(count: number): Promise<number[]> {
  for (;;) {
    const first = randomInt(FIRST, LAST - count)
    const ports = Array.from({ length: count }, (_, n) => first + n)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return ports
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  await once(server.close(), 'close')
  return true
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}
