// Reads the environment of `sc` once. An empty variable counts as unset (docs/decisions/0041).
import { homedir } from 'node:os'
import { join } from 'node:path'

export interface Environment {
  /** Wins over the stored key. */
  readonly apiKey: string | null
  /** Wins over the stored base address. */
  readonly baseUrl: string | null
  /** Which of the stored keys is used. */
  readonly profile: string
  /** Where the keys are stored. */
  readonly folder: string
  /** True when the folder is `sc`'s own and not one that the user named. Only then do we set its mode. */
  readonly ownsFolder: boolean
  readonly noColor: boolean
  /** Whether a browser on this computer can show a page to the user. */
  readonly canOpenBrowser: boolean
  /** The program that opens a page. Null: the system's own. */
  readonly browser: string | null
  /** The command line of the pager. Null: nothing is paged. */
  readonly pager: string | null
  /** Whether a person may be told of a newer `sc`. */
  readonly tellsUpgrades: boolean
}

/** The variables that `sc` reads, each with its description. */
export const environmentVariables = {
  SC_API_KEY: 'The key; goes before the stored one.',
  SC_BASE_URL: 'The base address of the service; goes before the stored one.',
  SC_PROFILE: 'The stored profile to use; `--profile` goes before it.',
  SC_CONFIG_DIR: 'The folder in which the keys are stored.',
  XDG_CONFIG_HOME:
    'The folder of all configuration; `sc` is the folder in it. Default `~/.config`; on Windows `%APPDATA%`.',
  HTTPS_PROXY:
    'The proxy to https addresses; HTTP_PROXY to http, NO_PROXY what is reached directly. Lower case too. Never for this machine.',
  BROWSER:
    'The program that opens a page, for `sc login`. Without it, over SSH or without a display, `sc login` shows a code.',
  SC_PAGER:
    'The program that shows a long table on a terminal; goes before PAGER. Default `less`; none for `cat` and for the empty text.',
  PAGER: 'The same, for every program.',
  SC_NO_UPGRADE_NOTICE: 'Anything: `sc` does not look for a newer version of itself. Nor does it where CI is set.',
  NO_COLOR: 'Anything but the empty text: no colours.',
} as const

/** The profile of `sc login` without a name. */
export const DEFAULT_PROFILE = 'default'

export function readEnvironment(
  variables: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Environment {
  const value = (name: string) => variables[name]?.trim() || null
  const named = value('SC_CONFIG_DIR')
  const isElsewhere = value('SSH_CONNECTION') !== null || value('SSH_TTY') !== null
  const hasDisplay = platform !== 'linux' || value('DISPLAY') !== null || value('WAYLAND_DISPLAY') !== null
  const home = value('HOME') ?? homedir()
  const all =
    value('XDG_CONFIG_HOME') ??
    (platform === 'win32' ? (value('APPDATA') ?? join(home, 'AppData', 'Roaming')) : join(home, '.config'))
  return {
    apiKey: value('SC_API_KEY'),
    baseUrl: value('SC_BASE_URL'),
    profile: value('SC_PROFILE') ?? DEFAULT_PROFILE,
    folder: named ?? join(all, 'sc'),
    ownsFolder: named === null,
    noColor: (variables.NO_COLOR ?? '') !== '' || variables.TERM === 'dumb',
    canOpenBrowser: value('BROWSER') !== null || (!isElsewhere && hasDisplay),
    browser: value('BROWSER'),
    pager: pagerOf(variables, platform),
    tellsUpgrades: value('CI') === null && value('SC_NO_UPGRADE_NOTICE') === null,
  }
}

/** As git does it: an empty variable means no pager. */
function pagerOf({ SC_PAGER, PAGER, TERM }: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | null {
  const pager = (SC_PAGER ?? PAGER ?? (platform === 'win32' ? '' : 'less')).trim()
  return pager === '' || pager === 'cat' || TERM === 'dumb' ? null : pager
}

/** The proxies, as curl reads them. The empty text for none. */
export interface ProxyVariables {
  readonly https_proxy: string
  readonly http_proxy: string
  readonly no_proxy: string
}

/** Lower case goes first, as in curl. */
export function readProxyVariables(variables: NodeJS.ProcessEnv = process.env): ProxyVariables {
  const value = (name: string) => (variables[name] || variables[name.toUpperCase()] || '').trim()
  return { https_proxy: value('https_proxy'), http_proxy: value('http_proxy'), no_proxy: value('no_proxy') }
}

/** All variables for a pager, with git's for the usual ones: leave when all is on one screen, pass colours on, and do not clear the screen. */
export function pagerVariables(variables: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { LESS: 'FRX', LV: '-c', ...variables }
}
