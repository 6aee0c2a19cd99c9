// The listeners leave open files for the rest of the process, and for each other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionShares } from '../src/connections/connection-shares.ts'

const limits = (soft: string) => `Limit                     Soft Limit           Hard Limit           Units
Max processes             96000                96000                processes
Max open files            ${soft.padEnd(20)} 1048576              files
`

test("the listeners' shares never exceed the open files that are left for connections", () => {
  assert.deepEqual(connectionShares(true, limits('1048576')), { public: 2000, private: 500 })
  assert.deepEqual(connectionShares(true, limits('unlimited')), { public: 2000, private: 500 })
  assert.deepEqual(connectionShares(true, limits('1200')), { public: 640, private: 160 })
  assert.deepEqual(connectionShares(true, limits('256')), { public: 102, private: 25 })
  assert.deepEqual(connectionShares(true, ''), { public: 2000, private: 500 })
})

test('without a public listener the private one gets the whole share', () => {
  assert.deepEqual(connectionShares(false, limits('1048576')), { public: 0, private: 2000 })
  assert.deepEqual(connectionShares(false, limits('1200')), { public: 0, private: 800 })
})

test('there is always a connection left', () => {
  assert.deepEqual(connectionShares(true, limits('2')), { public: 1, private: 1 })
  assert.ok(connectionShares(true).public > 0)
})
