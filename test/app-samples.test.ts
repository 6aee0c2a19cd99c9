// The programs of the page on building an app, run as they stand there, with an authorization server whose answers are scripted.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { guide } from '@clinic-data/contract/projections/guide'
import { newFolder } from './sc.ts'
import { fake, json } from './sc-service.ts'

const [, page = ''] = guide('https://api.clinic.example').split('## Build an app')
const sampleOf = (fence: string) =>
  new RegExp(`^\`\`\`${fence}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? assert.fail(fence)

const APP = '{"id": "crm", "secret": "s3", "redirect_uri": "https://crm.example/back"}'
const CALLS = {
  node: `
const app = ${APP}
const begun = begin(app)
const issuer = env.SC_BASE_URL
const back = (more) => new URLSearchParams({ code: 'c1', state: begun.state, iss: issuer, ...more })
const refused = [{ state: 'x' }, { iss: 'https://evil.example' }, { error: 'access_denied' }].map((more) => {
  try { exchange(app, begun, back(more)) } catch { return true }
})
const first = await exchange(app, begun, back({}))
const next = await renew(app, first.refresh_token)
console.log(JSON.stringify({ begun, refused, first, next }))`,
  python: `
app = ${APP}
begun = begin(app)
back = {"code": "c1", "state": begun["state"], "iss": BASE_URL}
refused = []
for more in [{"state": "x"}, {"iss": "https://evil.example"}, {"error": "access_denied"}]:
    try:
        exchange(app, begun, {**back, **more})
    except ValueError:
        refused.append(True)
first = exchange(app, begun, back)
print(json.dumps({"begun": begun, "refused": refused, "first": first, "next": renew(app, first["refresh_token"])}))`,
}

async function outcome(child: ChildProcess): Promise<string> {
  const [out, errors] = await Promise.all([child.stdout, child.stderr].map((one) => (one === null ? '' : text(one))))
  assert.equal(errors, '')
  return out ?? ''
}

const hasPython = spawnSync('python3', ['-c', 'exit(0)']).status === 0
const programs = [
  { language: 'node', fence: 'js', file: 'app.mjs', program: process.execPath, skip: false },
  {
    language: 'python',
    fence: 'python',
    file: 'app.py',
    program: 'python3',
    skip: hasPython ? false : 'no Python',
  },
] as const

for (const { language, fence, file, program, skip } of programs) {
  test(`the app in ${language} connects with PKCE, refuses answers that are not its own, and renews`, {
    skip,
  }, async () => {
    const forms: Record<string, string>[] = []
    const { SC_BASE_URL } = await fake(async (request, response) => {
      if (request.method === 'GET') {
        const [authorization_endpoint, token_endpoint] = ['https://console.example/authorize', `${SC_BASE_URL}/token`]
        return void json(response, 200, { issuer: SC_BASE_URL, authorization_endpoint, token_endpoint })
      }
      assert.equal(request.headers.authorization, `Basic ${btoa('crm:s3')}`)
      forms.push(Object.fromEntries(new URLSearchParams(await text(request))))
      json(response, 200, { access_token: `a${forms.length}`, refresh_token: `r${forms.length}`, expires_in: 3600 })
    })
    const folder = await newFolder()
    const path = join(folder, file)
    await writeFile(path, sampleOf(fence) + CALLS[language])
    const out = await outcome(spawn(program, [path], { env: { PATH: process.env.PATH, SC_BASE_URL } }))
    const { begun, refused, first, next } = JSON.parse(out)
    const asked = new URL(begun.address).searchParams
    assert.equal(asked.get('code_challenge'), hash('sha256', begun.verifier, 'base64url'))
    assert.deepEqual(
      [asked.get('client_id'), asked.get('resource'), asked.get('state')],
      ['crm', SC_BASE_URL, begun.state],
    )
    assert.deepEqual([refused, first.access_token, next.access_token], [[true, true, true], 'a1', 'a2'])
    assert.deepEqual([forms[0]?.code, forms[0]?.code_verifier, forms[1]?.refresh_token], ['c1', begun.verifier, 'r1'])
    await rm(folder, { recursive: true })
  })
}
