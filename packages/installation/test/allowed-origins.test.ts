// The origins of web pages that may use the MCP server must be written as a browser sends them.
import assert from 'node:assert/strict'
import test from 'node:test'
import { ConfigError, readConfig } from '../src/config.ts'

test('origins are a list, which is empty by default', () => {
  assert.deepEqual(readConfig({}).allowedOrigins, [])
  const ALLOWED_ORIGINS = 'https://agent.example.com, http://localhost:6274'
  assert.deepEqual(readConfig({ ALLOWED_ORIGINS }).allowedOrigins, [
    'https://agent.example.com',
    'http://localhost:6274',
  ])
})

test('an origin that no browser would send is refused', () => {
  for (const ALLOWED_ORIGINS of [
    '*',
    'agent.example.com',
    'https://a.example/',
    'https://A.example',
    'https://a.example:443',
    'null',
  ])
    assert.throws(
      () => readConfig({ ALLOWED_ORIGINS }),
      (error) => error instanceof ConfigError && /ALLOWED_ORIGINS/.test(error.message),
    )
})
