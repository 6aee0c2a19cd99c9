// Which pages the console offers to whom.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roles } from '@clinic-data/console-contract/role-names'
import { browserName } from '../src/people/browser-name.ts'
import { placesOf } from '../src/role-places.ts'

const one = { connects_apps: true, has_pairings: false }
const several = { ...one, has_pairings: true }
const withoutApps = { ...one, connects_apps: false }

test('each role is offered the pages of its work, and no other', () => {
  const all = placesOf('owner', one)
  assert.ok(all.includes('people'))
  assert.deepEqual(
    placesOf('administrator', one),
    all.filter((place) => place !== 'people' && place !== 'patients'),
  )
  assert.deepEqual(placesOf('developer', one), ['home', 'integrations', 'webhooks', 'activity', 'account'])
  assert.deepEqual(placesOf('auditor', one), ['activity', 'account'])
  assert.deepEqual(placesOf('member', one), ['connections', 'connect', 'account'])
})

test('where no app can be connected, members have nothing but their account, and managers connect programs by keys', () => {
  assert.deepEqual(placesOf('member', withoutApps), ['account'])
  const open = placesOf('administrator', withoutApps)
  assert.ok(open.includes('connect') && !open.includes('connections'))
})

test('whoever works in several clinics has a page of all of them, in any role', () => {
  for (const role of roles) {
    assert.ok(!placesOf(role, one).includes('clinics'), role)
    assert.ok(placesOf(role, several).includes('clinics'), role)
  }
})

test('a browser is named as people call it, also where it calls itself by the names of others', () => {
  const mozilla = 'Mozilla/5.0'
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36'
  assert.equal(browserName(`${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Edg/149.0.0.0`), 'Edge, Windows')
  assert.equal(browserName(`${mozilla} (Linux; Android 16) ${webkit}`), 'Chrome, Android')
  assert.equal(
    browserName(`${mozilla} (iPhone; CPU iPhone OS 20_0 like Mac OS X) Version/20 Safari/604.1`),
    'Safari, iPhone',
  )
  assert.equal(browserName('curl/8.14.1'), null)
})
