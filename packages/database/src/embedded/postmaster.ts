// A cluster's server process: found by its pid file, recognised by its command line, started, awaited and stopped.

import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isAlive } from './is-alive.ts'

/** The content of postmaster.pid. */
export type Postmaster = {
  pid: number
  port: number
  /** Empty for a server that is reached only by its socket. */
  host: string
  ready: boolean
}

const LOOK_AGAIN_MS = 10
const LOOKS_AT_NUMBERS = 20
const STOP_PATIENCE_MS = 15_000

export async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const content = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const lines = content.split('\n')
  const pid = Number(lines[0])
  return pid > 0
    ? { pid, port: Number(lines[3]), host: lines[5] ?? '', ready: lines[7]?.trim() === 'ready' }
    : undefined
}

/**
 * A name that is unique to the cluster as long as it exists. The server carries it (`cluster_name`) in its command line and in its
 * children's titles. A pid file may name a process that now belongs to somebody else, but these names are reliable.
 */
export async function clusterName(cluster: string): Promise<string> {
  const { dev, ino } = await stat(cluster, { bigint: true })
  return `clinic-data-${dev.toString(36)}-${ino.toString(36)}`
}

/** The server and its children, including those of a killed server. */
export async function serverProcesses(cluster: string): Promise<number[]> {
  const name = await clusterName(cluster)
  const { uid } = await stat(cluster)
  // Matches the children's titles and the server's own arguments, which Linux separates by NUL.
  const pattern = new RegExp(`^(postgres: ${name}: |[^\\0]*postgres[\\0 ]-D.*[\\0 ]cluster_name=${name}([\\0 ]|$))`)
  const running = await (process.platform === 'linux' ? procProcesses(uid) : psProcesses())
  // Any account may name its processes like that. Only the cluster's owner runs the server.
  return running.filter((one) => one.uid === uid && pattern.test(one.command)).map(({ pid }) => pid)
}

type RunningProcess = { pid: number; uid: number; command: string }

/** Those of an account. The command lines of others are not read: there may be hundreds. */
async function procProcesses(account: number): Promise<RunningProcess[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const processes = pids.map(async (pid) => {
    const { uid } = await stat(`/proc/${pid}`)
    return uid === account ? [{ pid, uid, command: await readFile(`/proc/${pid}/cmdline`, 'latin1') }] : []
  })
  // A process that ended in between is no longer running.
  return (await Promise.allSettled(processes)).flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
}

async function psProcesses(): Promise<RunningProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axwwo', 'pid=,uid=,command=']).catch(() => ({ stdout: '' }))
  return [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s(.*)$/gm)].map(([, pid, uid, command = '']) => ({
    pid: Number(pid),
    uid: Number(uid),
    command,
  }))
}

/** The servers of this process, by their cluster. */
const ours = new Map<string, number>()

/** A process that ends without stopping its server takes it along: after a second Ctrl-C, say. */
export function endsWithProcess(cluster: string, pid: number): void {
  if (ours.size === 0) process.once('exit', endAll)
  ours.set(cluster, pid)
}

/** Immediate shutdown: nothing committed is lost, and the next start recovers. */
function endAll(): void {
  for (const pid of ours.values()) signal(pid, 'SIGQUIT')
}

/** Fast shutdown: rolls back running transactions and writes everything. Resolves when no process is left. */
export async function stopServer(cluster: string): Promise<void> {
  const postmaster = await readPostmaster(cluster)
  const processes = await serverProcesses(cluster)
  let isGone = processes.length === 0
  if (postmaster !== undefined && processes.includes(postmaster.pid)) {
    signal(postmaster.pid, 'SIGINT')
    isGone = await goneWithin(cluster, STOP_PATIENCE_MS)
    // Immediate shutdown: nothing committed is lost, and the next start recovers.
    if (!isGone) signal(postmaster.pid, 'SIGQUIT')
  }
  if (!isGone && !(await goneWithin(cluster, STOP_PATIENCE_MS)))
    throw new Error(`the PostgreSQL server of ${cluster} does not stop`)
  ours.delete(cluster)
  if (ours.size === 0) process.off('exit', endAll)
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    // It has ended in between.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

export async function goneWithin(cluster: string, ms: number): Promise<boolean> {
  const endsAt = performance.now() + ms
  for (;;) {
    const processes = await serverProcesses(cluster)
    if (processes.length === 0) return true
    if (performance.now() > endsAt) return false
    // A look at a few numbers costs little, one at all processes of the machine much. A number may soon be somebody else's.
    for (let look = 0; look < LOOKS_AT_NUMBERS && processes.some(isAlive); look++) await delay(LOOK_AGAIN_MS)
  }
}
