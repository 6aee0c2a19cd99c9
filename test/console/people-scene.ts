// People of the console's clinic in each role, what their pages show, and what they decide.
import assert from 'node:assert/strict'
import { createAdministrator, makeSignInLink } from '@clinic-data/administration/administrators'
import type { Role } from '@clinic-data/console-contract/role-names'
import type { Tab } from '@clinic-data/testing/run/chromium'
import type { ConsoleSite } from './site.ts'
import { UserActions } from './user-actions.ts'

/** The pages that the navigation offers, by their names. */
export const places = (tab: Tab) =>
  tab.run<string[]>(`[...document.querySelectorAll('nav a')].map((one) => one.innerText.trim())`)

export interface AddedPerson {
  readonly id: string
  readonly email: string
}

export async function addPerson(
  { owner, clinic_id }: Pick<ConsoleSite, 'owner' | 'clinic_id'>,
  name: string,
  role: Role,
): Promise<AddedPerson> {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@clinic.example`
  const { id } = await createAdministrator(owner, { clinic_id, email, name, role, now: new Date() })
  return { id, email }
}

/** Opens the console in the name of a person, by a link. */
export async function enterAs(site: ConsoleSite, { id }: AddedPerson): Promise<void> {
  const { tab, owner, clinic_id, address } = site
  const { token } = await makeSignInLink(owner, { clinic_id, id, now: new Date() })
  await tab.visit(`${address}/console/#link=${token}`)
  await new UserActions(tab).press('Sign in')
  await tab.until(`document.querySelector('nav a') && document.querySelector('main h1')`)
}

/** In another browser somebody answers the latest request for approval. */
export async function decideElsewhere(
  { owner, clinic_id, address }: ConsoleSite,
  person: AddedPerson,
  decision: 'approve' | 'refuse',
): Promise<void> {
  const { token } = await makeSignInLink(owner, { clinic_id, id: person.id, now: new Date() })
  const headers = { 'content-type': 'application/json', 'x-console': '1', origin: address }
  const send = (path: string, more: RequestInit & { headers?: object } = {}) =>
    fetch(`${address}/console/api${path}`, { ...more, headers: { ...headers, ...more.headers } })
  const begun = await send('/sign-in/link', { method: 'POST', body: JSON.stringify({ token }) })
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? assert.fail('no session')
  const { data } = (await (await send('/approvals', { headers: { cookie } })).json()) as { data: { id: string }[] }
  const id = data[0]?.id ?? assert.fail('nothing was asked for')
  const { 'content-type': _, ...bodiless } = headers
  const answer = await fetch(`${address}/console/api/approvals/${id}/${decision}`, {
    method: 'POST',
    headers: { ...bodiless, cookie },
  })
  assert.equal(answer.status, 200)
}

/** The expression of a person's row. */
export const rowOf = (name: string) =>
  `[...document.querySelectorAll('.keys tbody tr')].find((one) => one.innerText.includes(${JSON.stringify(name)}))`

/** Chooses an action from the menu of a person. */
export async function act(user: UserActions, name: string, action: string): Promise<void> {
  await user.press(`Actions for ${name}`)
  await user.click(`[...document.querySelectorAll('[role=menuitem]')].find((one) => one.textContent === '${action}')`)
}
