// The programs that a clinic connects, and the lines that connect each of them.
import type { Preset } from '../keys/presets.ts'
import program from './first.mjs?raw'

export type ClientName = 'claude' | 'codex' | 'vscode' | 'curl' | 'sdk' | 'sc'

/** One thing to copy. Its key names the words above it. */
export interface Step {
  what: 'line' | 'install' | 'file' | 'run' | 'try'
  text: string
}

interface ConnectedClient {
  /** As its makers write it. */
  title: string
  /** Its key may do this. */
  preset: Exclude<Preset, 'own'>
  steps(address: string, key: string): readonly Step[]
}

/** JSON has no apostrophe, so a shell takes it as it is between two. */
const vscodeServer = (address: string, key: string) =>
  JSON.stringify({
    name: 'clinic',
    type: 'http',
    url: `${address}/mcp`,
    headers: { Authorization: `Bearer ${key}` },
  })

export const clients: Readonly<Record<ClientName, ConnectedClient>> = {
  claude: {
    title: 'Claude Code',
    preset: 'agent',
    steps: (address, key) => [
      {
        what: 'line',
        text: `claude mcp add --transport http clinic ${address}/mcp --header "Authorization: Bearer ${key}"`,
      },
    ],
  },
  codex: {
    title: 'Codex',
    preset: 'agent',
    steps: (address, key) => [
      { what: 'line', text: `codex mcp add clinic --url ${address}/mcp --bearer-token-env-var SC_API_KEY` },
      { what: 'run', text: `SC_API_KEY='${key}' codex` },
    ],
  },
  vscode: {
    title: 'VS Code',
    preset: 'agent',
    steps: (address, key) => [{ what: 'line', text: `code --add-mcp '${vscodeServer(address, key)}'` }],
  },
  curl: {
    title: 'curl',
    preset: 'bi',
    steps: (address, key) => [
      { what: 'line', text: `curl '${address}/v1/appointments?limit=3' -H 'Authorization: Bearer ${key}'` },
    ],
  },
  sdk: {
    title: 'JavaScript',
    preset: 'bi',
    steps: (address, key) => [
      { what: 'install', text: `npm install ${address}/packages/client.tgz` },
      { what: 'file', text: program.trim() },
      { what: 'run', text: `SC_BASE_URL=${address} SC_API_KEY='${key}' node first.mjs` },
    ],
  },
  sc: {
    title: 'sc',
    preset: 'bi',
    steps: (address, key) => [
      { what: 'install', text: `npm install --global ${address}/packages/sc.tgz` },
      { what: 'line', text: `printf %s '${key}' | SC_BASE_URL=${address} sc login --key-stdin` },
      { what: 'try', text: 'sc appointments list --limit 3' },
    ],
  },
}

export const clientNames = Object.keys(clients) as ClientName[]

/** Stands for a key until there is one. */
export const NO_KEY = 'sk_live_…'
