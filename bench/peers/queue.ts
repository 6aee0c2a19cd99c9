// Defines what the programs here use of a job queue, and where each one is found: a webhook sender is built on it, and compared with ours.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** One delivery that waits in a queue. */
export interface Job {
  readonly clinic: number
  /** The number of the clinic's subscription. */
  readonly subscription: number
  readonly event_id: string
  readonly body: string
}

export interface Settings {
  /** Attempts at once. */
  readonly atOnce: number
  /** Jobs that are taken from the queue together. */
  readonly batch: number
  /** Whether subscriptions are kept apart with the queue's own means, so that one that hangs does not use all places. */
  readonly apart: boolean
}

export interface Queue {
  /** Resolves when the jobs are stored. */
  add(jobs: readonly Job[]): Promise<void>
  /** The number of jobs that are not done yet. */
  unfinished(): Promise<number>
  /** Takes jobs until the process ends. If `send` rejects, the job is retried later. @param groups of all subscriptions. */
  work(send: (job: Job) => Promise<void>, groups: readonly string[]): Promise<void>
  close(): Promise<void>
}

export interface QueuePeer {
  /** The packages to install, with their versions. */
  readonly packages: Readonly<Record<string, string>>
  /** Its tables in PostgreSQL, or when the file of its Redis is on the disk. */
  readonly keptIn: { readonly schema: string } | { readonly appendfsync: 'everysec' | 'always' }
  /** The best of those that were tried. */
  readonly settings: Omit<Settings, 'apart'>
  /** Opens an empty queue or one that exists, makes its tables if there are none. */
  open(options: OpenOptions): Promise<Queue>
}

export interface OpenOptions {
  /** Where its packages are installed. */
  readonly folder: string
  /** A PostgreSQL url, or the path of the socket of a Redis. */
  readonly address: string
  readonly settings: Settings
}

/** The name of a subscription's own group or queue. */
export function groupOf({ clinic, subscription }: Pick<Job, 'clinic' | 'subscription'>): string {
  return `${clinic}-${subscription}`
}

/** Attempts at once for one subscription, where they are kept apart. As many as ours. */
export const AT_ONCE_APART = 8

/** How often a delivery is tried again, beginning with this pause, which doubles. */
export const RETRIES = { times: 8, firstPauseMs: 5_000 } as const

/** Loads a package that is installed in this folder. */
export async function load(folder: string, name: string): Promise<unknown> {
  return import(pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href)
}
