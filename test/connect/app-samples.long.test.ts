// The programs of the page on building an app, connected to a whole service as they stand there.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { before, test } from 'node:test'
import { guide } from '@clinic-data/contract/projections/guide'
import { newFolder } from '../sc.ts'
import { ConnectSite, type Person } from './connect-site.ts'

const REDIRECT = 'https://crm.example/back'
const [, page = ''] = guide('https://api.clinic.example').split('## Build an app')

/** Each prints where the person goes, reads where the browser came back, and prints both pairs. */
const programs = [
  {
    language: 'node',
    fence: 'js',
    file: 'app.mjs',
    program: process.execPath,
    calls: `
import { createInterface } from 'node:readline'
const app = { id: env.APP_ID, secret: env.APP_SECRET, redirect_uri: '${REDIRECT}' }
const begun = begin(app)
console.log(begun.address)
for await (const line of createInterface({ input: process.stdin })) {
  const first = await exchange(app, begun, new URL(line).searchParams)
  console.log(JSON.stringify([first, await renew(app, first.refresh_token)]))
}`,
  },
  {
    language: 'python',
    fence: 'python',
    file: 'app.py',
    program: 'python3',
    calls: `
from urllib.parse import parse_qsl, urlsplit
app = {"id": os.environ["APP_ID"], "secret": os.environ["APP_SECRET"], "redirect_uri": "${REDIRECT}"}
begun = begin(app)
print(begun["address"], flush=True)
first = exchange(app, begun, dict(parse_qsl(urlsplit(input()).query)))
print(json.dumps([first, renew(app, first["refresh_token"])]))`,
  },
]

let site: ConnectSite
let person: Person
before(async () => {
  site = await ConnectSite.start()
  person = await site.signIn()
})

for (const { language, fence, file, program, calls } of programs) {
  const skip = spawnSync(program, ['--version']).status === 0 ? false : `no ${language}`
  test(`the app in ${language} is connected, renews, and reads patients`, { skip }, async () => {
    const made = await site.apps('create', '--name', 'CRM', '--redirect', REDIRECT, '--confidential', '--json')
    const { client_id: APP_ID, client_secret: APP_SECRET } = JSON.parse(made)
    const folder = await newFolder()
    const sample = new RegExp(`^\`\`\`${fence}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? assert.fail(fence)
    await writeFile(join(folder, file), sample + calls)
    const child = spawn(program, [join(folder, file)], {
      env: { PATH: process.env.PATH, SC_BASE_URL: site.baseUrl, APP_ID, APP_SECRET },
    })
    const errors = text(child.stderr)
    const closed = once(child, 'close')
    const lines: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line)
      if (lines.length === 1) child.stdin.end(`${await person.allow(new URL(line))}\n`)
    }
    assert.equal((await closed)[0], 0, await errors)
    for (const { access_token } of JSON.parse(lines[1] ?? '')) assert.equal(await site.statusWith(access_token), 200)
    await rm(folder, { recursive: true })
  })
}
