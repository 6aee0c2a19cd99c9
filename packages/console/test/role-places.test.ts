// Which pages the console offers to whom.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserName } from '../src/people/browser-name.ts'
import { placesOf } from '../src/role-places.ts'

test('each role is offered the pages of its work, and no other', () => {
  const all = placesOf('owner', true)
  assert.ok(all.includes('people'))
  assert.deepEqual(
    placesOf('administrator', true),
    all.filter((place) => place !== 'people'),
  )
  assert.deepEqual(placesOf('developer', true), ['home', 'integrations', 'webhooks', 'activity', 'account'])
  assert.deepEqual(placesOf('auditor', true), ['activity', 'account'])
  assert.deepEqual(placesOf('member', true), ['connections', 'connect', 'account'])
})

test('where no app can be connected, members have nothing but their account, and managers connect programs by keys', () => {
  assert.deepEqual(placesOf('member', false), ['account'])
  const open = placesOf('administrator', false)
  assert.ok(open.includes('connect') && !open.includes('connections'))
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
