// A receiver's URL: which texts are accepted, and how one is split.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isWebhookUrl } from '@clinic-data/contract/formats'
import { WebhookRequest } from '@clinic-data/contract/resources/webhook'
import { validatorOf } from '@clinic-data/contract/validator'
import { readTarget } from '../src/receiver/target-url.ts'

const strict = { allowsLoopbackHttp: false }
const lenient = { allowsLoopbackHttp: true }

describe("a receiver's URL", () => {
  test('is split into the address to connect to and the path to request', () => {
    assert.deepEqual(readTarget('https://CRM.example.com:8443/hooks?a=1&b=%20', strict), {
      origin: 'https://crm.example.com:8443',
      path: '/hooks?a=1&b=%20',
      host: 'crm.example.com',
      port: 8443,
      isSecure: true,
      literal: null,
    })
    assert.deepEqual(readTarget('https://[2606:4700::1111]', strict), {
      origin: 'https://[2606:4700::1111]',
      path: '/',
      host: '2606:4700::1111',
      port: 443,
      isSecure: true,
      literal: '2606:4700::1111',
    })
    assert.deepEqual(readTarget('http://127.0.0.1/x', lenient), {
      origin: 'http://127.0.0.1',
      path: '/x',
      host: '127.0.0.1',
      port: 80,
      isSecure: false,
      literal: '127.0.0.1',
    })
  })

  test('puts nothing into the request but one line of visible ASCII', () => {
    const injected = [
      'https://example.com/\r\nX-Injected: 1',
      'https://example.com/%0d%0a\nHost: other',
      'https://example.com/a b',
      'https://exam\tple.com/',
      'https://example.com\r\n.other.example/',
      'https://example.com/\u2028',
      'https://example.com/#\r\nx',
      'https://example.com/"<>`{|}',
    ]
    for (const url of injected) assert.equal(readTarget(url, lenient), null, JSON.stringify(url))
    assert.match(readTarget('https://example.com/%0d%0aX-Injected:%201?(a)=*,b', strict)?.path ?? '', /^\/[!-~]+$/)
  })

  test('is https only, and plain http to loopback where development allows it', () => {
    const loopback = [
      'http://127.0.0.1:3000/hook',
      'http://localhost:3000/hook',
      'http://[::1]:3000/',
      'http://localhost:80',
    ]
    for (const url of loopback) {
      assert.equal(isWebhookUrl(url), false, url)
      assert.equal(isWebhookUrl(url, strict), false, url)
      assert.equal(isWebhookUrl(url, lenient), true, url)
    }
    const others = [
      ...[
        'http://example.com/',
        'http://10.0.0.1/',
        'http://127.1/',
        'http://2130706433/',
        'http://127.0.0.1.example.com/',
      ],
      ...[
        'http://localhost.example.com/',
        'http://localhost./',
        'http://[::ffff:7f00:1]/',
        'http://localhost:443@example.com',
      ],
      ...[
        'http://user@localhost/',
        'http://localhost#',
        'ftp://localhost/',
        'http://localhost:99999/',
        'http://0.0.0.0/',
      ],
    ]
    for (const url of others) assert.equal(isWebhookUrl(url, lenient), false, url)
    assert.equal(isWebhookUrl('https://crm.example.com:443/', lenient), true)
  })

  test("reaches the validator with the installation's permissions", () => {
    const validate = validatorOf(WebhookRequest)
    const request = { url: 'http://localhost:3000/hook' }
    assert.equal(validate(request, { country: 'IL' }).length, 1)
    assert.deepEqual(validate(request, { country: 'IL', allowsLoopbackHttp: true }), [])
  })
})
