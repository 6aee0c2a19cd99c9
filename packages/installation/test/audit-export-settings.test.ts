// The settings of the continuous export of the audit log.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../src/config.ts'

const refused = (line: RegExp) => (error: unknown) => error instanceof ConfigError && line.test(error.message)

test('the audit log is exported to a folder, a receiver or a collector, and not in the clear to another machine', () => {
  const of = (AUDIT_EXPORT_URL: string, more = {}) => readConfig({ AUDIT_EXPORT_URL, ...more }).auditExport?.destination
  assert.equal(readConfig({}).auditExport, null)
  assert.deepEqual(of('file:///var/log/a%20b'), { kind: 'file', folder: '/var/log/a b' })
  const receiver = { kind: 'syslog', host: 'logs.example.com', isSecure: true }
  assert.deepEqual(of('syslog+tls://logs.example.com'), { ...receiver, port: 6514 })
  assert.deepEqual(of('syslog://[::1]:1514'), { kind: 'syslog', host: '::1', port: 1514, isSecure: false })
  const url = 'https://logs.example.com/audit?source=a'
  assert.deepEqual(of(url, { AUDIT_EXPORT_TOKEN: 't' }), { kind: 'http', url, token: 't' })
  assert.equal(of('http://127.0.0.1:9/x')?.kind, 'http')
  for (const clear of ['syslog://logs.example.com', 'http://logs.example.com/'])
    assert.throws(() => of(clear), refused(/^AUDIT_EXPORT_URL must begin with https:\/\/ or syslog\+tls:/), clear)
  for (const wrong of [
    '/var/log',
    'file://host/var',
    'file:///',
    'https://me:secret@a',
    'ftp://a',
    'syslog+tls://a/path',
  ])
    assert.throws(() => of(wrong), refused(/^AUDIT_EXPORT_URL must be file:\/\/\/folder/), wrong)
  const token = { AUDIT_EXPORT_TOKEN: 'secret' }
  assert.throws(() => of('file:///var/log/clinic', token), refused(/^AUDIT_EXPORT_TOKEN is for an https address/))
  assert.throws(() => readConfig(token), refused(/^AUDIT_EXPORT_TOKEN is for the collector/))
  assert.throws(() => of(url, { AUDIT_EXPORT_FORMAT: 'csv' }), refused(/^AUDIT_EXPORT_FORMAT must be ndjson or ocsf/))
})
