// The guide's pages for connected apps: how to build one, and how to connect an agent.
import { fenced } from '../samples/fenced.ts'
import { claudeLine, cursorLink, cursorServer, vscodeLink } from './programs.ts'

const bullets = (...items: string[]) => items.map((item) => `- ${item}`).join('\n')

const NODE = `import { createHash, randomBytes } from 'node:crypto'
import { env } from 'node:process'

const service = await (await fetch(\`\${env.SC_BASE_URL}/.well-known/oauth-authorization-server\`)).json()

export function begin(app) {
  const [state, verifier] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
  const address = new URL(service.authorization_endpoint)
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: app.id,
    redirect_uri: app.redirect_uri,
    scope: 'patients:read appointments:read',
    resource: env.SC_BASE_URL,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return { address: address.href, state, verifier }
}

export function exchange(app, begun, returned) {
  if (returned.get('state') !== begun.state || returned.get('iss') !== service.issuer)
    throw new Error('this answer belongs to no request of ours')
  if (returned.has('error')) throw new Error(returned.get('error_description') ?? returned.get('error'))
  const { verifier: code_verifier } = begun
  const code = returned.get('code')
  return send(app, { grant_type: 'authorization_code', code, redirect_uri: app.redirect_uri, code_verifier })
}

export function renew(app, refresh_token) {
  return send(app, { grant_type: 'refresh_token', refresh_token })
}

async function send(app, form) {
  const basic = btoa(\`\${app.id}:\${app.secret}\`)
  const answer = await fetch(service.token_endpoint, {
    method: 'POST',
    headers: { authorization: \`Basic \${basic}\` },
    body: new URLSearchParams(form),
  })
  const body = await answer.json()
  if (!answer.ok) throw new Error(\`\${body.error}: \${body.error_description}\`)
  return body
}`

const PYTHON = `import base64
import hashlib
import json
import os
import secrets
from urllib.parse import urlencode
from urllib.request import Request, urlopen

BASE_URL = os.environ["SC_BASE_URL"]
with urlopen(f"{BASE_URL}/.well-known/oauth-authorization-server") as found:
    service = json.load(found)

def begin(app):
    state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    digest = hashlib.sha256(verifier.encode()).digest()
    query = urlencode({
        "response_type": "code",
        "client_id": app["id"],
        "redirect_uri": app["redirect_uri"],
        "scope": "patients:read appointments:read",
        "resource": BASE_URL,
        "state": state,
        "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
    })
    address = f"{service['authorization_endpoint']}?{query}"
    return {"address": address, "state": state, "verifier": verifier}

def exchange(app, begun, returned):
    if returned.get("state") != begun["state"] or returned.get("iss") != service["issuer"]:
        raise ValueError("this answer belongs to no request of ours")
    if "error" in returned:
        raise ValueError(returned.get("error_description", returned["error"]))
    return send(app, {
        "grant_type": "authorization_code",
        "code": returned["code"],
        "redirect_uri": app["redirect_uri"],
        "code_verifier": begun["verifier"],
    })

def renew(app, refresh_token):
    return send(app, {"grant_type": "refresh_token", "refresh_token": refresh_token})

def send(app, form):
    basic = base64.b64encode(f"{app['id']}:{app['secret']}".encode()).decode()
    request = Request(service["token_endpoint"], urlencode(form).encode(), {"Authorization": f"Basic {basic}"})
    with urlopen(request) as answer:
        return json.load(answer)`

export const buildAnApp = [
  'An app that several clinics use needs no key of each. An administrator of a clinic allows what the app asks for in the browser, and the app gets tokens of that clinic: OAuth 2.1, the authorization code flow with PKCE. A connection acts as a key does. It has scopes and a rate limit, and it opens one clinic. The clinic sees it in its console and can end it at any time.',
  '**Register.** The operator of the service registers the app with its name and redirect addresses, and gives you its `client_id` and secret. An address that you return to is compared to the letter. A program on a computer of its user registers `http://127.0.0.1/…` and may use any port, or a scheme that is a domain of its maker in reverse: `com.example.app:/callback`. An app may instead be known by a document: its `client_id` is then the https address of a JSON document with `client_id`, `client_name` and `redirect_uris`. Whether the service takes such apps is up to its operator and the clinic. Where its document names a `registration_endpoint`, an app may also register itself (RFC 7591). It reads its registration later at the `registration_client_uri` of the answer, with the `registration_access_token` in `Authorization: Bearer …` (RFC 7592).',
  '**Authorize.** Send the browser to the address that `begin` answers, and keep `state` and `verifier` for its return. The person may allow less than you asked for: the `scope` of the tokens says what. At your redirect address, `exchange` takes the code, which is good for a minute and once. **Refresh.** `renew` answers the next tokens:',
  fenced('js', NODE),
  fenced('python', PYTHON),
  bullets(
    'An access token lasts an hour: `expires_in`. It goes where a key goes, in `Authorization: Bearer …`.',
    'Each refresh token is good once. Store the new one before you use the new access token, and renew a clinic in one place at a time. The same refresh token again within a minute, after a lost answer, gets a new pair. Later it ends the connection, because it may have been stolen.',
    '`invalid_grant` means that the connection has ended: ask the clinic to connect again. `access_denied` with 403 means that the clinic has stopped it, or lets it in from other addresses alone: keep the tokens, and say what `error_description` says. After 503 and after a broken connection, try again: nothing is used up.',
    'A 401 with a token means the same as at its end: renew, once. A 403 has a `WWW-Authenticate` with the scopes that the call needs. Send the person through `begin` again with those added.',
    '`POST` to `revocation_endpoint` with `token` ends the connection when a customer leaves you.',
  ),
  'The SDK takes a function in place of a key, and does the rest: `new ClinicDataClient({ baseUrl, token: ({ refused }) => … })`. It is called before each attempt, and once more after a 401 with the token that was refused.',
  '**Webhooks for a connected clinic.** With `webhooks:manage` the app subscribes as a key does: `POST /v1/webhooks` with the token of the clinic. Keep the secret beside the connection, because each clinic has its own. The subscription ends with the connection.',
  '**Going live.** Ask for the scopes that you use, and no others: people read each of them. Keep tokens encrypted, apart for each clinic, and never in a browser. Show on your own page which clinic is connected, and offer to end it. Try the four ends before your first customer does: the person refuses, the clinic ends the connection, a refresh token is lost, the service is away.',
]

export const connectAnAgent = (baseUrl: string) => [
  `An agent that speaks the Model Context Protocol connects by the address \`${baseUrl}/mcp\` alone. A browser opens, an administrator of the clinic sees what the agent asks for, and allows it. No key is copied. The clinic's console lists the connection and ends it. A client whose program runs elsewhere, such as claude.ai, ChatGPT and Copilot Studio, must reach the address from the internet, by https.`,
  '**Claude Code.** Add the server, and sign in. Versions without `mcp login` sign in by `/mcp` in a session:',
  fenced('sh', claudeLine(baseUrl), 'claude mcp login clinic'),
  `**claude.ai.** Add a custom connector with the address \`${baseUrl}/mcp\`, and connect it. In an organization an owner adds it first.`,
  `**ChatGPT.** Custom connectors to MCP servers need its developer mode. Create one with the address \`${baseUrl}/mcp\` and OAuth.`,
  `**VS Code.** [Add it to VS Code](${vscodeLink(baseUrl)}) of this computer. Or run the command \`MCP: Add Server\`, choose HTTP and enter the address. Or write it into \`.vscode/mcp.json\`. VS Code opens the browser when the server asks for it:`,
  fenced('json', `{ "servers": { "clinic": { "type": "http", "url": "${baseUrl}/mcp" } } }`),
  `**Cursor.** [Add it to Cursor](${cursorLink(baseUrl)}) of this computer. Or write the server into \`.cursor/mcp.json\` of the project, or \`~/.cursor/mcp.json\`, and sign in where Cursor lists it:`,
  fenced('json', cursorServer(baseUrl)),
  '**Copilot Studio.** On the page Tools of the agent, add a new tool of the kind Model Context Protocol. Enter the address, and choose OAuth 2.0.',
  '**MCP inspector.** Choose the transport Streamable HTTP and the address. It registers itself, which the service must allow (`CONNECT_REGISTRATION`).',
  'A client that knows no sign-in takes a key in a header: see [MCP](/docs/mcp). If a client says that it cannot register, the operator can register it: `clinicd apps create`.',
]
