// The public edge leaves open files for the rest of the process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxConnections } from '../src/max-connections.ts'

const limits = (soft: string) => `Limit                     Soft Limit           Hard Limit           Units
Max processes             96000                96000                processes
Max open files            ${soft.padEnd(20)} 1048576              files
`

test('never more connections than open files leave room for, and never none', () => {
  assert.equal(maxConnections(limits('1048576')), 2000)
  assert.equal(maxConnections(limits('unlimited')), 2000)
  assert.equal(maxConnections(limits('1024')), 924)
  assert.equal(maxConnections(limits('64')), 1)
  assert.equal(maxConnections(''), 2000)
  assert.ok(maxConnections() > 0)
})
