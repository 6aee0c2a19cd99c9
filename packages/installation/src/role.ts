// The roles of `serve`, and how many processes serve the public API. Checks, before anything opens, that a role has the configuration
// it needs and none that it ignores.
import { availableParallelism } from 'node:os'
import { type Config, ConfigError, MOST_WORKERS } from './config.ts'

export const roles = ['all', 'gateway', 'backend', 'dispatcher'] as const
export type Role = (typeof roles)[number]

/** They have eight connections each, and the primary process some thirty. The embedded PostgreSQL accepts a hundred, as most do. */
const WORKERS_OF_ONE_DATABASE = 8

/** Where the system shares the connections to a port fairly among the processes that listen there. */
const SHARES_PORTS = ['linux', 'freebsd'].includes(process.platform)

export function isPublicRole(role: Role): boolean {
  return role === 'all' || role === 'gateway'
}

/**
 * How many processes serve the public API; with one there is no other process. By default half of the processors beyond two: the
 * other half is PostgreSQL's.
 */
export function workersOf(
  { workers }: Pick<Config, 'workers'>,
  role: Role,
  processors = availableParallelism(),
): number {
  if (!isPublicRole(role) || !SHARES_PORTS) return 1
  const most = role === 'all' ? WORKERS_OF_ONE_DATABASE : MOST_WORKERS
  return workers ?? Math.max(1, Math.min(most, Math.floor((processors - 2) / 2)))
}

/** @throws ConfigError with a line for the operator. */
export function requireForRole(config: Config, role: Role): void {
  const { backendUrls, backendToken, databaseUrl, workers } = config
  const line = () => {
    if (workers !== null && workers > 1) {
      if (!isPublicRole(role))
        return `--workers goes with the roles all and gateway: the role ${role} has no public API`
      if (!SHARES_PORTS) return '--workers needs Linux or FreeBSD: this system gives a port to one process only'
      if (role === 'all' && databaseUrl === null && workers > WORKERS_OF_ONE_DATABASE)
        return `--workers may be at most ${WORKERS_OF_ONE_DATABASE} with the embedded PostgreSQL; set DATABASE_URL for more`
    }
    if (role === 'gateway') {
      return backendUrls.length > 0 && backendToken !== null
        ? null
        : 'BACKEND_URL and BACKEND_TOKEN are required in the role gateway: it opens no database'
    }
    if (backendUrls.length > 0)
      return 'BACKEND_URL goes with --role gateway; every other role has the backend in itself'
    if (role === 'backend' && backendToken === null)
      return 'BACKEND_TOKEN is required in the role backend: without it anyone on the network could read every clinic'
    if (role === 'dispatcher' && databaseUrl === null)
      return 'DATABASE_URL is required in the role dispatcher: it works on the database of the backends'
    return null
  }
  const fault = line()
  if (fault !== null) throw new ConfigError(fault)
}

/** @throws ConfigError for the settings of a gateway: an embedded database beside them is a new one, or one of before. */
export function requireOwnDatabase({ backendUrls, databaseUrl }: Pick<Config, 'backendUrls' | 'databaseUrl'>): void {
  if (backendUrls.length > 0 && databaseUrl === null)
    throw new ConfigError(
      'these are the settings of a gateway, which has no database: run the command with those of its backend, without BACKEND_URL',
    )
}
