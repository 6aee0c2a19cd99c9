// One run of the load generator `wrk` (Debian package wrk), and its result.
import { spawnSync } from 'node:child_process'

export interface Load {
  url: string
  key: string
  connections: number
  seconds: number
  /** A script that makes the requests from its environment. */
  script?: { file: string; env: Readonly<Record<string, string>> }
}

export interface Measured {
  requestsPerSecond: number
  p99Ms: number
  p50Ms: number
}

/**
 * Node.js compiles a path of code anew several times, for some 20 seconds of load. A service has run for longer, so a measurement begins after
 * so many seconds of its load.
 */
export const WARM_UP_SECONDS = 20

export function load({ url, key, connections, seconds, script }: Load): Measured {
  const requests = script === undefined ? ['-H', `Authorization: Bearer ${key}`] : ['-s', script.file]
  const { stdout, status } = spawnSync(
    'wrk',
    ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', ...requests, url],
    { encoding: 'utf8', env: { ...process.env, ...script?.env } },
  )
  if (status !== 0) throw new Error('wrk is needed: apt-get install wrk')
  if (/Non-2xx or 3xx responses: \d+/.test(stdout)) throw new Error(`not every answer was 2xx:\n${stdout}`)
  return {
    requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p50Ms: milliseconds(/^ +50% +(\S+)/m.exec(stdout)?.[1]),
    p99Ms: milliseconds(/^ +99% +(\S+)/m.exec(stdout)?.[1]),
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function milliseconds(text: string | undefined): number {
  const [, number, unit] = /^([\d.]+)(us|ms|s)$/.exec(text ?? '') ?? []
  return Number(number) * (unit === 'us' ? 0.001 : unit === 's' ? 1000 : 1)
}
