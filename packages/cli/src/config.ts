// Reads the environment of `sc` once. An empty variable counts as unset.
import { homedir } from 'node:os'
import { join } from 'node:path'

export interface Environment {
  /** Wins over the stored key. */
  readonly apiKey: string | null
  /** Wins over the stored base address. */
  readonly baseUrl: string | null
  /** Where the key is stored. */
  readonly folder: string
  /** True when the folder is `sc`'s own and not one that the user named. Only then do we set its mode. */
  readonly ownsFolder: boolean
  readonly noColor: boolean
}

/** The variables that `sc` reads, each with its description. */
export const environmentVariables = {
  SC_API_KEY: 'The key; goes before the stored one.',
  SC_BASE_URL: 'The base address of the service; goes before the stored one.',
  SC_CONFIG_DIR: 'The folder in which the key is stored.',
  XDG_CONFIG_HOME:
    'The folder of all configuration; `sc` is the folder in it. Default `~/.config`; on Windows `%APPDATA%`.',
  NO_COLOR: 'Anything but the empty text: no colours.',
} as const

export function readEnvironment(
  variables: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Environment {
  const value = (name: string) => variables[name]?.trim() || null
  const named = value('SC_CONFIG_DIR')
  const home = value('HOME') ?? homedir()
  const all =
    value('XDG_CONFIG_HOME') ??
    (platform === 'win32' ? (value('APPDATA') ?? join(home, 'AppData', 'Roaming')) : join(home, '.config'))
  return {
    apiKey: value('SC_API_KEY'),
    baseUrl: value('SC_BASE_URL'),
    folder: named ?? join(all, 'sc'),
    ownsFolder: named === null,
    noColor: (variables.NO_COLOR ?? '') !== '' || variables.TERM === 'dumb',
  }
}
