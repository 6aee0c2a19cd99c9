// The origins of web pages that may use the MCP server: written as a browser sends them, or told as a mistake.
import assert from 'node:assert/strict'
import test from 'node:test'
import { ConfigError, readConfig } from '../src/config.ts'

test('origins are a list, and by default there are none', () => {
  assert.deepEqual(readConfig({}).allowedOrigins, [])
  const ALLOWED_ORIGINS = 'https://agent.example.com, http://localhost:6274'
  assert.deepEqual(readConfig({ ALLOWED_ORIGINS }).allowedOrigins, [
    'https://agent.example.com',
    'http://localhost:6274',
  ])
})

test('what no browser would send as an origin is a mistake', () => {
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
