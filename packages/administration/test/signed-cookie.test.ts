// The MAC of the console's cookies: the text that was sent is ours, and no other spelling of it.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { keptIn, type SignedKind, signedCookie } from '../src/sessions/signed-cookie.ts'
import { browserCookie, browserCookieValue, knownBrowser } from '../src/sign-in/known-browser.ts'
import { pairOf } from './console-ground.ts'

const newKeys = (id = 't') => parseSecretKeys(`${id}:${randomBytes(32).toString('base64')}`)
const secret = newKeys()
const keys = signingKeys(secret, 'console-sign-in')
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const now = new Date()
const kind: SignedKind = { name: 'console_pairing', seconds: 60, sameSite: 'Strict', purpose: 'pairing' }
const account = { clinic_id: 'carmel', email: 'noa@clinic.example' }

const cookies = {
  'a signed cookie': {
    sent: pairOf(signedCookie(keys, kind, { clinic: 'carmel' }, { now, isSecure: false })),
    opens: (cookie: string, by = keys) => keptIn(by, kind, cookie, { now, isSecure: false }) !== null,
  },
  'the cookie of a known browser': {
    sent: pairOf(browserCookie(keys, account, false)),
    opens: (cookie: string, by = keys) => knownBrowser(by, browserCookieValue(cookie, false), account) !== null,
  },
}

for (const [name, { sent, opens }] of Object.entries(cookies)) {
  test(`${name} opens as it was sent, and with no character changed, added or left out`, () => {
    assert.ok(opens(sent))
    const value = sent.indexOf('=') + 1
    for (let at = value; at < sent.length; at++) {
      const other = sent[at] === 'A' ? 'B' : 'A'
      assert.ok(!opens(sent.slice(0, at) + other + sent.slice(at + 1)), `at ${at}`)
      assert.ok(!opens(sent.slice(0, at) + sent.slice(at + 1)), `without ${at}`)
    }
    // Four last characters say the same 32 bytes.
    const opening = Array.from(BASE64URL, (last) => sent.slice(0, -1) + last).filter((one) => opens(one))
    assert.deepEqual(opening, [sent])
    for (const added of ['=', 'A', '.', ' x']) assert.ok(!opens(sent + added), added)
  })

  test(`${name} opens while its key is kept, and by no other key`, () => {
    const [own] = secret
    assert.ok(opens(sent, signingKeys([...newKeys('new'), own], 'console-sign-in')))
    for (const [other, purpose] of [
      [newKeys(), 'console-sign-in'],
      [secret, 'console-login'],
    ] as const) {
      assert.ok(!opens(sent, signingKeys(other, purpose)))
    }
  })
}

test('a signed cookie opens until its time, and none of another kind', () => {
  const cookie = cookies['a signed cookie'].sent
  const at = (seconds: number) => ({ now: new Date(now.getTime() + seconds * 1000), isSecure: false })
  assert.deepEqual(keptIn(keys, kind, cookie, at(59))?.content, { clinic: 'carmel' })
  assert.equal(keptIn(keys, kind, cookie, at(60)), null)
  assert.equal(keptIn(keys, { ...kind, purpose: 'openid' }, cookie, at(0)), null)
})
