// The files of certificates and keys that addresses in the settings name. A driver would tell a missing one without its setting.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from './config-error.ts'
import type { DatabaseSettings } from './database.ts'

const FILES = ['sslrootcert', 'sslcert', 'sslkey']

/** @throws ConfigError for a file that cannot be read. */
export function requireCertificateFiles(settings: DatabaseSettings & { redisUrl: string | null }): void {
  const urls = {
    DATABASE_URL: settings.databaseUrl,
    DATABASE_OWNER_URL: settings.databaseOwnerUrl,
    DATABASE_CONSOLE_URL: settings.databaseConsoleUrl,
    DATABASE_REPLICA_URL: settings.databaseReplicaUrl,
    REDIS_URL: settings.redisUrl,
  }
  for (const [setting, url] of Object.entries(urls)) {
    if (url === null) continue
    for (const [parameter, path] of new URL(url).searchParams)
      if (FILES.includes(parameter) && path !== '') requireFile(path, setting, parameter)
  }
}

function requireFile(path: string, setting: string, parameter: string): void {
  try {
    readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const fault = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
    throw new ConfigError(
      `${setting} names the file ${resolve(path)} (${parameter}), which ${fault}: put it there, readable for the account of the service, or name another`,
      { cause: error },
    )
  }
}
