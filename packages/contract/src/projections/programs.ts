// The programs that a clinic connects, and the lines that connect each of them: for the guide and the console.
import type { Preset } from '../usual-scopes.ts'

export type ClientName =
  | 'claudeai'
  | 'chatgpt'
  | 'claude'
  | 'codex'
  | 'vscode'
  | 'cursor'
  | 'curl'
  | 'sdk'
  | 'python'
  | 'sc'

/** One thing to copy. Its key names the words above it. */
export interface Step {
  what: 'address' | 'line' | 'install' | 'mjs' | 'py' | 'server' | 'sign-in' | 'run' | 'try'
  text: string
}

export interface ConnectedProgram {
  /** As its makers write it. */
  title: string
  /** Connects it by the address alone: the program leads to the console, where somebody allows it. Absent: it needs a key. */
  byAddress?(address: string): readonly Step[]
  /** Absent: it takes no key. */
  byKey?: ByKey
}

interface ByKey {
  /** Its key may do this. */
  preset: Exclude<Preset, 'own'>
  steps(address: string, key: string): readonly Step[]
}

/** JSON has no apostrophe, so a shell takes it as it is between two. */
const vscodeServer = (address: string, key?: string) =>
  JSON.stringify({
    name: 'clinic',
    type: 'http',
    url: `${address}/mcp`,
    ...(key !== undefined && { headers: { Authorization: `Bearer ${key}` } }),
  })

export const cursorServer = (address: string, key?: string) =>
  JSON.stringify(
    {
      mcpServers: {
        clinic: {
          url: `${address}/mcp`,
          ...(key !== undefined && { headers: { Authorization: `Bearer ${key}` } }),
        },
      },
    },
    null,
    2,
  )

/** A link that asks its reader's VS Code to add the server. It carries no key: whoever follows it signs in. */
export const vscodeLink = (address: string) => `vscode:mcp/install?${encodeURIComponent(vscodeServer(address))}`

/** The same for Cursor, which reads the server's own members in base64. */
export const cursorLink = (address: string) =>
  `cursor://anysphere.cursor-deeplink/mcp/install?name=clinic&config=${encodeURIComponent(btoa(JSON.stringify({ url: `${address}/mcp` })))}`

/** Without a key the program leads to the console, where somebody allows it. */
export const claudeLine = (address: string, key?: string) =>
  `claude mcp add --transport http clinic ${address}/mcp${key === undefined ? '' : ` --header "Authorization: Bearer ${key}"`}`

const mcpAddress = (address: string): readonly Step[] => [{ what: 'address', text: `${address}/mcp` }]

/** Has the name that pip demands of a wheel: it reads name and version from it. */
export const wheelFile = (version: string) => `clinic_data-${version}-py3-none-any.whl`

interface First {
  /** The first program in JavaScript, `first.mjs`. */
  readonly javascript: string
  /** The first program in Python, `first.py`. */
  readonly python: string
  /** The version of the service, and so of the SDK for Python that it serves. */
  readonly version: string
}

export const programs = ({ javascript, python, version }: First): Readonly<Record<ClientName, ConnectedProgram>> => ({
  claudeai: { title: 'Claude', byAddress: mcpAddress },
  chatgpt: { title: 'ChatGPT', byAddress: mcpAddress },
  claude: {
    title: 'Claude Code',
    byAddress: (address) => [
      { what: 'line', text: claudeLine(address) },
      { what: 'sign-in', text: '/mcp' },
    ],
    byKey: {
      preset: 'agent',
      steps: (address, key) => [{ what: 'line', text: claudeLine(address, key) }],
    },
  },
  codex: {
    title: 'Codex',
    byAddress: (address) => [
      { what: 'line', text: `codex mcp add clinic --url ${address}/mcp` },
      { what: 'run', text: 'codex mcp login clinic' },
    ],
    byKey: {
      preset: 'agent',
      steps: (address, key) => [
        { what: 'line', text: `codex mcp add clinic --url ${address}/mcp --bearer-token-env-var SC_API_KEY` },
        { what: 'run', text: `SC_API_KEY='${key}' codex` },
      ],
    },
  },
  vscode: {
    title: 'VS Code',
    byAddress: (address) => [{ what: 'line', text: `code --add-mcp '${vscodeServer(address)}'` }],
    byKey: {
      preset: 'agent',
      steps: (address, key) => [{ what: 'line', text: `code --add-mcp '${vscodeServer(address, key)}'` }],
    },
  },
  cursor: {
    title: 'Cursor',
    byAddress: (address) => [{ what: 'server', text: cursorServer(address) }],
    byKey: {
      preset: 'agent',
      steps: (address, key) => [{ what: 'server', text: cursorServer(address, key) }],
    },
  },
  curl: {
    title: 'curl',
    byKey: {
      preset: 'bi',
      steps: (address, key) => [
        { what: 'line', text: `curl '${address}/v1/appointments?limit=3' -H 'Authorization: Bearer ${key}'` },
      ],
    },
  },
  sdk: {
    title: 'JavaScript',
    byKey: {
      preset: 'bi',
      steps: (address, key) => [
        { what: 'install', text: `npm install ${address}/packages/client.tgz` },
        { what: 'mjs', text: javascript },
        { what: 'run', text: `SC_BASE_URL=${address} SC_API_KEY='${key}' node first.mjs` },
      ],
    },
  },
  python: {
    title: 'Python',
    byKey: {
      preset: 'bi',
      steps: (address, key) => [
        { what: 'install', text: `python3 -m pip install ${address}/packages/${wheelFile(version)}` },
        { what: 'py', text: python },
        { what: 'run', text: `SC_BASE_URL=${address} SC_API_KEY='${key}' python3 first.py` },
      ],
    },
  },
  sc: {
    title: 'sc',
    byAddress: (address) => [
      { what: 'install', text: `npm install --global ${address}/packages/sc.tgz` },
      { what: 'line', text: `SC_BASE_URL=${address} sc login` },
      { what: 'try', text: 'sc appointments list --limit 3' },
    ],
    byKey: {
      preset: 'bi',
      steps: (address, key) => [
        { what: 'install', text: `npm install --global ${address}/packages/sc.tgz` },
        { what: 'line', text: `printf %s '${key}' | SC_BASE_URL=${address} sc login --key-stdin` },
        { what: 'try', text: 'sc appointments list --limit 3' },
      ],
    },
  },
})

/** Stands for a key until there is one. */
export const NO_KEY = 'sk_live_…'
