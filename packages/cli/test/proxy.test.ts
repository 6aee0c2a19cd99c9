// Which proxy an address is reached through, as curl and Go programs read the variables.
import assert from 'node:assert/strict'
import test from 'node:test'
import { readProxyVariables } from '@clinic-data/cli/config'
import { readAddress } from '@clinic-data/cli/connection/base-address'
import { proxyFor } from '@clinic-data/cli/connection/proxy'
import { UsageError } from '@clinic-data/cli/usage-error'

const found = (address: string, variables: Record<string, string>) =>
  proxyFor(new URL(address), readProxyVariables(variables))?.href ?? null

const ADDRESS = 'https://api.clinic-data.example/v1/me'
const HTTPS_PROXY = 'http://proxy.example:3128/'

test('HTTPS_PROXY is the proxy of https addresses, in upper or lower case, with or without http://', () => {
  assert.equal(found(ADDRESS, {}), null)
  assert.equal(found(ADDRESS, { HTTP_PROXY: HTTPS_PROXY }), null)
  assert.equal(found(ADDRESS, { HTTPS_PROXY }), HTTPS_PROXY)
  assert.equal(found(ADDRESS, { https_proxy: HTTPS_PROXY, HTTPS_PROXY: 'http://other.example' }), HTTPS_PROXY)
  assert.equal(found(ADDRESS, { HTTPS_PROXY: 'proxy.example:3128' }), HTTPS_PROXY)
  assert.equal(found('http://api.clinic-data.example/', { HTTP_PROXY: HTTPS_PROXY }), HTTPS_PROXY)
  assert.throws(() => found(ADDRESS, { HTTPS_PROXY: 'socks5://proxy.example' }), UsageError)
})

test('NO_PROXY and this machine are reached directly', () => {
  for (const NO_PROXY of ['*', 'clinic-data.example', '.clinic-data.example', 'x, API.clinic-data.example:443'])
    assert.equal(found(ADDRESS, { HTTPS_PROXY, NO_PROXY }), null, NO_PROXY)
  for (const NO_PROXY of ['data.example', 'clinic-data.example:8443', 'x.api.clinic-data.example'])
    assert.equal(found(ADDRESS, { HTTPS_PROXY, NO_PROXY }), HTTPS_PROXY, NO_PROXY)
  for (const address of ['http://localhost:3000', 'https://127.0.0.1', 'http://[::1]:8080'])
    assert.equal(found(address, { HTTPS_PROXY, HTTP_PROXY: HTTPS_PROXY }), null, address)
})

test('an address of this machine needs no http://', () => {
  for (const typed of ['localhost:3000', 'http://localhost:3000', '127.0.0.1:3000/hook', '[::1]:3000'])
    assert.equal(readAddress(typed, '--forward-to'), `http://${typed.replace('http://', '')}`)
  for (const typed of ['localhost.example:3000', 'api.clinic-data.example', '127.0.0.1.example'])
    assert.throws(() => readAddress(typed, '--forward-to'), UsageError, typed)
})
