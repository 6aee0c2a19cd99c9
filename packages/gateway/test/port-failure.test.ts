// Which failures prove that the backend has not seen a call: only after those may a write be repeated elsewhere.
import assert from 'node:assert/strict'
import test from 'node:test'
import { errors } from 'undici'
import { failureOf } from '../src/http-backend/port-failure.ts'

const failed = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall })

test('a call without a connection has reached no backend', () => {
  const refused = failed('ECONNREFUSED', 'connect')
  const all = [
    refused,
    failed('EHOSTUNREACH', 'connect'),
    failed('ENOTFOUND', 'getaddrinfo'),
    new AggregateError([refused, failed('ENETUNREACH', 'connect')]),
    new errors.ConnectTimeoutError(),
    new errors.ClientClosedError(),
  ]
  assert.deepEqual(
    all.map((error) => failureOf(error).isUnsent),
    all.map(() => true),
  )
})

test('a call that broke off on an established connection may have arrived, for any code', () => {
  const all = [
    failed('EHOSTUNREACH', 'read'),
    failed('ENETUNREACH', 'write'),
    failed('ECONNRESET', 'read'),
    failed('ETIMEDOUT', 'read'),
    new AggregateError([]),
    new errors.SocketError('other side closed'),
    new errors.HeadersTimeoutError(),
    new errors.ClientDestroyedError(),
  ]
  assert.deepEqual(
    all.map((error) => failureOf(error).isUnsent),
    all.map(() => false),
  )
})
