// The console for the tests: a clinic of the file's own in a whole service, open in Chromium.
import { randomBytes } from 'node:crypto'
import { after, before } from 'node:test'
import { createAdministrator, makeSignInLink, signInAddress } from '@clinic-data/administration/administrators'
import { listKeys } from '@clinic-data/administration/credentials/keys'
import { openDatabase, sql, utcSession } from '@clinic-data/database'
import { Tab } from '@clinic-data/testing/run/chromium'
import { emptyClinic, keyOf } from '@clinic-data/testing/run/test-service'
import { consoleService } from '@clinic-data/testing/shared/console-service'

export type ConsoleSite = Awaited<ReturnType<typeof openConsoleSite>>

/**
 * Opens the console before a file's tests and closes it after them. A machine without Chromium skips the tests.
 * @returns why the tests are skipped, or false.
 */
export function openBeforeTests(prepare: (site: ConsoleSite) => void | Promise<void>): string | false {
  if (process.env.TEST_CHROMIUM === undefined) return 'no Chromium on this machine'
  let site: ConsoleSite | undefined
  before(async () => {
    site = await openConsoleSite()
    await prepare(site)
  })
  after(() => site?.close())
  return false
}

/** Opens a tab beside the console's service. The clinic has one administrator and no keys. */
async function openConsoleSite() {
  const { url, baseUrl, address } = await consoleService()
  const owner = await openDatabase({ url })
  const clinic = await emptyClinic(owner)
  const { clinic_id } = clinic
  const now = () => new Date()
  const email = 'dana@clinic.example'
  const { id } = await createAdministrator(owner, { clinic_id, email, name: 'Dana Levi', now: now() })
  const tab = await Tab.open()
  const password = randomBytes(12).toString('base64url')

  const token = async () => (await makeSignInLink(owner, { clinic_id, id, now: now() })).token
  /** Begins a session, as the page of a link does. Nothing is loaded. */
  const begin = async (listener = address) => beginSession(tab, listener, await token())
  /** Opens a page of a new session. */
  const signIn = async (path: string, listener = address) => {
    await begin(listener)
    await tab.visit(`${listener}${path}`)
    await tab.until(`document.querySelector('nav a') && document.querySelector('main h1')`)
  }
  /** Opens another page of the console as its links do, without loading it again. What the page before held is gone. */
  const go = async (path: string, width?: number) => {
    await tab.resize(width)
    for (const place of ['/console/nothing', path])
      await tab.run(`history.pushState(null, '', ${JSON.stringify(place)}); dispatchEvent(new Event('popstate'))`)
  }
  return {
    tab,
    owner,
    clinic,
    baseUrl,
    address,
    clinic_id,
    email,
    link: async () => signInAddress(address, await token()),
    password,
    keys: () => listKeys(owner, clinic_id),
    mint: (name: string) => keyOf(owner, clinic, ['patients:read'], null, name),
    statusWith: async (key: string) =>
      (await fetch(`${baseUrl}/v1/me`, { headers: { authorization: `Bearer ${key}` } })).status,
    begin,
    signIn,
    go,
    /** Opens a page by `go` where somebody is signed in, and in a new session elsewhere. Its lists may at first be those that were read before. */
    async open(path: string) {
      const isHere = `location.origin === ${JSON.stringify(address)} && document.querySelector('nav a') !== null`
      if (!(await tab.run<boolean>(isHere))) return signIn(path)
      await go(path)
      await tab.until(`document.querySelector('main h1')`)
    },
    /** Lets the pages that are loaded from now on look at what is new several times a second. */
    hurry: () => tab.inject(`{ const every = setInterval; setInterval = (act, ms) => every(act, Math.min(ms, 300)) }`),
    /** Leaves nobody signed in. */
    async setPassword() {
      await begin()
      await tab.visit(`${address}/console/nothing`)
      const body = JSON.stringify({ password })
      const status = await tab.run(`fetch('/console/api/password', { method: 'POST', body: ${JSON.stringify(body)},
        headers: { 'x-console': '1', 'content-type': 'application/json' } }).then((answer) => answer.status)`)
      if (status !== 204) throw new Error(`the password was not set: ${status}`)
      await this.signOut()
    },
    async signOut() {
      await tab.run(`fetch('/console/api/sign-out', { method: 'POST', body: '{}',
        headers: { 'x-console': '1', 'content-type': 'application/json' } })`)
    },
    /** As if the sessions had begun so many minutes earlier. */
    growOld: (minutes: number) =>
      owner.write(utcSession(clinic_id), (tx) =>
        tx.query(sql`update administrator_session set created_at = created_at - ${minutes} * interval '1 minute',
            proven_at = proven_at - ${minutes} * interval '1 minute'
          where clinic_id = ${clinic_id}`),
      ),
    /** As their time does. */
    endSessions: () =>
      owner.write(utcSession(clinic_id), (tx) =>
        tx.query(sql`delete from administrator_session where clinic_id = ${clinic_id}`),
      ),
    async close() {
      await tab.close()
      await owner.close()
    },
  }
}

/** As the page of a link does, without opening it. */
async function beginSession(tab: Tab, address: string, token: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-console': '1', origin: address }
  const answer = await fetch(`${address}/console/api/sign-in/link`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ token }),
  })
  const [, name, value, path] = /^([^=]+)=([^;]*); Path=([^;]+);/.exec(answer.headers.get('set-cookie') ?? '') ?? []
  if (name === undefined) throw new Error(`the link did not sign in: ${answer.status} ${await answer.text()}`)
  await tab.send('Network.setCookie', { name, value, path, url: address, httpOnly: true, sameSite: 'Strict' })
}
