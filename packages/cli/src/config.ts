// The environment of `sc`, read once; what an empty variable says is nothing.
import { homedir } from 'node:os'
import { join } from 'node:path'

export interface Environment {
  /** Goes before the stored key. */
  readonly apiKey: string | null
  /** Goes before the stored base address. */
  readonly baseUrl: string | null
  /** Where the key is stored. */
  readonly folder: string
  /** The folder is `sc`'s alone, not one that the user named: its mode is ours to set. */
  readonly ownsFolder: boolean
  readonly noColor: boolean
}

/** The variables that `sc` reads, and what each one says. */
export const environmentVariables = {
  SC_API_KEY: 'The key; goes before the stored one.',
  SC_BASE_URL: 'The base address of the service; goes before the stored one.',
  SC_CONFIG_DIR: 'The folder in which the key is stored.',
  XDG_CONFIG_HOME:
    'The folder of all configuration; `sc` is the folder in it. Default `~/.config`; on Windows `%APPDATA%`.',
  NO_COLOR: 'Anything but the empty text: no colours.',
} as const

/** Reads the environment. */
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
