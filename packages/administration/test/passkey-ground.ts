// Passkeys for the tests: a browser that adds them and signs in with them.
import assert from 'node:assert/strict'
import type { Lies, Passkey } from './authenticator.ts'
import { type Console, pairOf, send } from './console-ground.ts'

/** Asks for a challenge to add a passkey in a session. */
export async function challengeToAdd(opened: Console, cookie: string) {
  const { status, json } = await send(opened, '/passkeys/challenge', { cookie })
  assert.equal(status, 200)
  return json.data as { challenge: string; user_handle: string }
}

/** Adds a passkey in a session. @returns its id and its user handle. */
export async function addPasskey(opened: Console, cookie: string, passkey: Passkey, name = 'Laptop') {
  const { challenge, user_handle } = await challengeToAdd(opened, cookie)
  const { status, json } = await send(opened, '/passkeys', { cookie, body: { name, ...passkey.add(challenge) } })
  assert.equal(status, 201)
  return { id: json.data.id as string, user_handle }
}

/** Asks for a challenge to sign in. */
export async function challengeToSignIn(opened: Console, cookie: string | null = null) {
  const { status, json, setCookie } = await send(opened, '/sign-in/passkey/challenge', { cookie })
  assert.equal(status, 200)
  return { challenge: json.data.challenge as string, cookie: pairOf(setCookie) }
}

/** Signs in with a passkey in a new browser. */
export async function signInWith(opened: Console, passkey: Passkey, user_handle: string, lies: Lies = {}) {
  const { challenge, cookie } = await challengeToSignIn(opened)
  return send(opened, '/sign-in/passkey', { cookie, body: passkey.sign(challenge, user_handle, lies) })
}
