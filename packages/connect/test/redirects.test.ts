// Where an app may send a browser back.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findRedirect, isOnThisComputer, redirectFault } from '../src/apps/redirects.ts'

const app = {
  redirect_uris: [
    'https://crm.example.com/back?tenant=1',
    'http://127.0.0.1/callback',
    'http://[::1]:4000/callback',
    'com.example.app://sign-in/back',
    'https://crm.example.com',
  ],
}

describe('a redirect that is sent', () => {
  test('is one that is registered, to the letter', () => {
    for (const uri of app.redirect_uris) assert.equal(findRedirect(app, uri), uri)
    const others = [
      '',
      'https://crm.example.com/',
      'https://crm.example.com/back',
      'https://crm.example.com/back?tenant=1&x=2',
      'https://crm.example.com/back?tenant=1#x',
      'https://crm.example.com/back/../back?tenant=1',
      'https://crm.example.com:443/back?tenant=1',
      'https://crm.example.com:8443/back?tenant=1',
      'https://CRM.example.com/back?tenant=1',
      'https://crm.example.com.evil.example/back?tenant=1',
      'https://crm.example.com@evil.example/back?tenant=1',
      'http://crm.example.com/back?tenant=1',
      'com.example.app://sign-in/back/',
      'COM.EXAMPLE.APP://sign-in/back',
      ' https://crm.example.com',
      'https://crm.example.com\n',
    ]
    for (const uri of others) assert.equal(findRedirect(app, uri), null, uri)
  })

  test('to a loopback address has any port, and the same host and path', () => {
    const good = [
      'http://127.0.0.1:1/callback',
      'http://127.0.0.1:65535/callback',
      'http://[::1]/callback',
      'http://[::1]:51234/callback',
    ]
    for (const uri of good) assert.equal(findRedirect(app, uri), uri)
    const bad = [
      'http://127.0.0.1:0/callback',
      'http://127.0.0.1:65536/callback',
      'http://127.0.0.1:/callback',
      'http://localhost:51234/callback',
      'http://127.0.0.2:51234/callback',
      'http://127.1:51234/callback',
      'http://127.0.0.1:51234/callback/',
      'http://127.0.0.1:51234/callback?x=1',
      'http://127.0.0.1:51234/callback#x',
      'http://127.0.0.1:51234@evil.example/callback',
      'http://127.0.0.1:51234.evil.example/callback',
      'http://127.0.0.1.evil.example/callback',
      'http://127.0.0.1:51234\\@evil.example/callback',
      'https://127.0.0.1:51234/callback',
      'http://127.0.0.1:51234/callback\n',
    ]
    for (const uri of bad) assert.equal(findRedirect(app, uri), null, uri)
  })
})

describe('an address that an app registers', () => {
  test('is https, a loopback address by http, of a scheme that is a domain in reverse, or a known app’s', () => {
    const good = [
      ...app.redirect_uris,
      'http://localhost:3118/callback',
      'http://localhost',
      'http://127.0.0.1:80/x',
      'https://claude.ai/api/mcp/auth_callback',
      'https://example.com:8443/a%20b?c=d',
      'https://[2001:db8::1]/x',
      'com.example.app:/callback',
      'com.raycast:/oauth?package_name=Extension',
      'com.googleusercontent.apps.123-abc:/oauth2redirect',
      'xn--4dbrk0ce.app:/back',
      'cursor://anysphere.cursor-mcp/oauth/callback',
    ]
    for (const uri of good) assert.equal(redirectFault(uri), null, uri)
  })

  test('is refused with a reason when browsers could read it in another way, or open it themselves', () => {
    const bad: readonly [string, RegExp][] = [
      ['', /whole address/],
      ['/callback', /whole address/],
      ['crm.example.com/back', /whole address/],
      ['HTTPS://crm.example.com/back', /whole address/],
      ['https:crm.example.com', /spelled as a browser calls it/],
      ['https:///crm.example.com/', /spelled as a browser calls it/],
      ['https://', /whole address/],
      ['https://crm.example.com/בית', /plain ASCII/],
      ['https://crm.example.com/a b', /plain ASCII/],
      ['https://crm.example.com\\@evil.example', /plain ASCII/],
      ['https://crm.example.com/\n', /plain ASCII/],
      ['https://crm.example.com/back#part', /fragment/],
      ['https://*.example.com/back', /wildcard/],
      ['https://user@crm.example.com/back', /no user/],
      ['https://crm.example.com:443/back', /no port 443/],
      ['https://crm.example.com/a/../b', /no \. or \.\./],
      ['https://crm.example.com/a/%2e%2e/b', /no \. or \.\./],
      ['https://CRM.example.com/', /lower case/],
      ['http://crm.example.com/back', /must be https/],
      ['http://127.0.0.1.evil.example/back', /must be https/],
      ['http://127.1/back', /must be https/],
      ['http://127.0.0.2/back', /must be https/],
      ['http://LOCALHOST/back', /must be https/],
      ['http://localhost:0/back', /port from 1/],
      ['http://localhost:70000/back', /whole address/],
      ['http://localhost/a/../b', /no \. or \.\./],
      [`https://crm.example.com/${'a'.repeat(2_000)}`, /at most 2000/],
    ]
    for (const [uri, why] of bad) assert.match(redirectFault(uri) ?? 'good', why, uri)
  })

  test('is refused when its scheme may start a program of somebody else', () => {
    const schemes = [
      ...[
        'javascript',
        'vbscript',
        'data',
        'file',
        'blob',
        'about',
        'view-source',
        'intent',
        'urn',
        'ftp',
        'ws',
        'wss',
      ],
      ...['mailto', 'tel', 'sms', 'facetime', 'ssh', 'telnet', 'smb', 'nfs', 'ldap', 'jnlp', 'vnc', 'apt', 'steam'],
      ...['ms-officecmd', 'ms-msdt', 'search-ms', 'ms-word', 'ms-settings', 'ms-appinstaller', 'shell'],
      ...['itms-services', 'itms-apps', 'vscode', 'vscode-insiders', 'windsurf', 'zed', 'myapp', 'localhost'],
      // Of Windows and of macOS, with a dot.
      ...['microsoft.windows.camera', 'x-apple.systempreferences'],
      ...['smb.', 's..smb', 's.-smb', 's.smb-', 'com.example+smb', 'xn--.app'],
    ]
    const bad = [
      ...schemes.map((scheme) => `${scheme}:x`),
      ...schemes.map((scheme) => `${scheme}://x/callback`),
      // Cursor installs programs by these.
      'cursor://anysphere.cursor-deeplink/mcp/install?name=x',
      'cursor://anysphere.cursor-mcp/oauth/callback/../../x',
      'cursor://anysphere.cursor-mcp/oauth/callback?x=1',
    ]
    for (const uri of bad) assert.ok(redirectFault(uri), uri)
    assert.match(redirectFault('smb://x.example/share') ?? '', /^must be https, .* com\.example\.app/)
  })
})

test('a program on this computer is told apart from a site', () => {
  assert.equal(isOnThisComputer('http://127.0.0.1:5/x'), true)
  assert.equal(isOnThisComputer('cursor://x/y'), true)
  assert.equal(isOnThisComputer('https://127.0.0.1.example.com/x'), false)
})
