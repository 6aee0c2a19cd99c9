// People of the console's clinic in each role, and what their pages show.
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

export async function addPerson({ owner, clinic_id }: ConsoleSite, name: string, role: Role): Promise<AddedPerson> {
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

/** The expression of a person's row. */
export const rowOf = (name: string) =>
  `[...document.querySelectorAll('.keys tbody tr')].find((one) => one.innerText.includes(${JSON.stringify(name)}))`

/** Chooses an action from the menu of a person. */
export async function act(user: UserActions, name: string, action: string): Promise<void> {
  await user.press(`Actions for ${name}`)
  await user.click(`[...document.querySelectorAll('[role=menuitem]')].find((one) => one.textContent === '${action}')`)
}
