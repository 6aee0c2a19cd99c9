// Reads which apps people may connect, and whether apps register themselves.
import type { AppPolicy } from '@clinic-data/connect/connect-parts'
import { ConfigError } from './config-error.ts'
import { flagOf } from './flag.ts'
import type { Settings } from './setting-names.ts'

export interface ConnectConfig {
  apps: AppPolicy
  /** Whether apps may register themselves. */
  mayRegister: boolean
}

/** @throws ConfigError */
export function connectOf(value: Settings): ConnectConfig {
  const apps = policyOf(value('CONNECT_APPS'))
  const mayRegister = flagOf('CONNECT_REGISTRATION', value('CONNECT_REGISTRATION'))
  if (mayRegister && apps !== 'any')
    throw new ConfigError(
      'CONNECT_REGISTRATION=1 goes with CONNECT_APPS=any alone: nobody has looked at an app that registers itself',
    )
  return { apps, mayRegister }
}

function policyOf(text: string): AppPolicy {
  if (text === 'any' || text === 'registered') return text
  const hosts = text
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '')
  const isHost = (host: string) =>
    !host.includes('*') && URL.canParse(`https://${host}`) && new URL(`https://${host}`).hostname === host
  if (hosts.length === 0 || !hosts.every((host) => host !== 'any' && host !== 'registered' && isHost(host)))
    throw new ConfigError(
      'CONNECT_APPS must be any, registered, or host names without a port, separated by commas, for example claude.ai,crm.example.com',
    )
  return hosts
}
