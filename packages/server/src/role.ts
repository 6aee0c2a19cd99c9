// The roles of `serve`. Checks, before anything opens, that a role has the configuration it needs and none that it ignores.
import { type Config, ConfigError } from './config.ts'

export const roles = ['all', 'gateway', 'backend', 'dispatcher'] as const
export type Role = (typeof roles)[number]

/** @throws ConfigError with a line for the operator. */
export function requireForRole({ backendUrls, backendToken, databaseUrl }: Config, role: Role): void {
  const line = () => {
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
