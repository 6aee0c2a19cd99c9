// A device that keeps passkeys and knows its owner, in the machine's Chromium.
import type { Tab } from '@clinic-data/testing/run/chromium'
import type { UserActions } from './user-actions.ts'

/** @returns its id for the debugging protocol. */
export async function plugIn(tab: Tab): Promise<string> {
  await tab.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  }
  const { authenticatorId } = await tab.send('WebAuthn.addVirtualAuthenticator', { options })
  return String(authenticatorId)
}

/** On the page of the own account. */
export async function addPasskey(user: UserActions, name: string): Promise<void> {
  await user.press('Add a passkey')
  await user.write('Name', name)
  await user.press('Continue')
}
