// The configuration refuses values that would send secrets in the clear or that cannot be used, before anything is opened.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../src/config.ts'
import { databaseLogins } from '../src/database/database-logins.ts'
import { requireForRole, workersOf } from '../src/role.ts'

const refused = (line: RegExp) => (error: unknown) => error instanceof ConfigError && line.test(error.message)

test('a backend on another machine must use https, unless the operator says that the network is safe', () => {
  const open = 'http://backend.internal:8081'
  for (const BACKEND_URL of [open, `https://one.internal,${open}`, 'http://10.0.0.7:8081', 'http://[fd00::7]:8081']) {
    assert.throws(() => readConfig({ BACKEND_URL }), refused(/^BACKEND_URL must be https/))
    assert.throws(() => readConfig({ BACKEND_URL, BACKEND_INSECURE: '0' }), refused(/^BACKEND_URL must be https/))
    assert.equal(readConfig({ BACKEND_URL, BACKEND_INSECURE: '1' }).backendUrls.at(-1), BACKEND_URL.split(',').at(-1))
  }
  assert.throws(() => readConfig({ BACKEND_INSECURE: 'yes' }), refused(/^BACKEND_INSECURE/))
})

test('a name that begins like an address of this machine is another machine', () => {
  const address = 'http://127.0.0.1.example.com'
  assert.throws(() => readConfig({ BASE_URL: address }), refused(/^BASE_URL must be https/))
  assert.throws(() => readConfig({ BACKEND_URL: address }), refused(/^BACKEND_URL must be https/))
  const provider = { OIDC_CLIENT_ID: 'c', OIDC_CLIENT_SECRET: 's', OIDC_NAME: 'SSO' }
  assert.throws(
    () => readConfig({ ...provider, OIDC_ISSUER: address }),
    refused(/^OIDC_ISSUER must be the https address/),
  )
})

test('several backends are separated by commas, and this machine may use http', () => {
  const urls = ['https://one.internal:8443', 'http://127.0.0.1:8081', 'http://localhost:8082', 'http://[::1]:8083']
  assert.deepEqual(readConfig({ BACKEND_URL: urls.join(', ') }).backendUrls, urls)
  assert.deepEqual(readConfig({}).backendUrls, [])
})

test('a malformed backend address, or one with a name and a password, is refused', () => {
  for (const BACKEND_URL of [
    'backend',
    'ftp://one',
    'https://one.internal,two',
    'https://me:secret@one',
    'https://one?a=1',
  ])
    assert.throws(
      () => readConfig({ BACKEND_URL }),
      (error) => refused(/^BACKEND_URL must be an https address/)(error) && !String(error).includes('secret'),
    )
})

test('the settings of the identity provider are all given or none, and its address is https or on this machine', () => {
  const all = {
    OIDC_ISSUER: 'https://login.example.com',
    OIDC_CLIENT_ID: 'c',
    OIDC_CLIENT_SECRET: 's',
    OIDC_NAME: 'SSO',
  }
  const usual = { isRequired: false, groupsClaim: null, scopes: 'openid email' }
  const openId = { issuer: all.OIDC_ISSUER, clientId: 'c', clientSecret: 's', name: 'SSO', ...usual }
  assert.deepEqual(readConfig(all).openId, openId)
  assert.deepEqual(readConfig({ ...all, OIDC_REQUIRED: '1' }).openId, { ...openId, isRequired: true })
  assert.throws(() => readConfig({ ...all, OIDC_REQUIRED: 'yes' }), refused(/^OIDC_REQUIRED must be 1 or 0/))
  for (const [name, given] of Object.entries({ OIDC_REQUIRED: '1', OIDC_GROUPS: 'groups' }))
    assert.throws(() => readConfig({ [name]: given }), refused(new RegExp(`^${name} needs an identity provider`)))
  const asked = readConfig({ ...all, OIDC_GROUPS: 'groups', OIDC_SCOPES: 'openid email groups' }).openId
  assert.deepEqual(asked, { ...openId, groupsClaim: 'groups', scopes: 'openid email groups' })
  assert.throws(
    () => readConfig({ ...all, OIDC_GROUPS: 'x'.repeat(201) }),
    refused(/^OIDC_GROUPS must have at most 200/),
  )
  for (const OIDC_SCOPES of ['email', 'openid  email', 'openid,email', 'openid "x"'])
    assert.throws(() => readConfig({ ...all, OIDC_SCOPES }), refused(/^OIDC_SCOPES must be scopes/))
  assert.equal(readConfig({}).openId, null)
  for (const name of Object.keys(all))
    assert.throws(() => readConfig({ ...all, [name]: '' }), refused(/^OIDC_ISSUER, OIDC_CLIENT_ID.* belong together/))
  for (const OIDC_ISSUER of ['http://127.0.0.1:9000', 'http://localhost:9000'])
    assert.equal(readConfig({ ...all, OIDC_ISSUER }).openId?.issuer, OIDC_ISSUER)
  for (const OIDC_ISSUER of [
    'http://login.example.com',
    'login',
    'https://me:secret@login.example.com',
    'https://a?b=c',
  ])
    assert.throws(() => readConfig({ ...all, OIDC_ISSUER }), refused(/^OIDC_ISSUER must be the https address/))
  assert.throws(() => readConfig({ ...all, OIDC_NAME: 'x'.repeat(61) }), refused(/^OIDC_NAME/))
})

test('the settings of the mail server are both given or none, and its password stands in no message', () => {
  const both = { SMTP_URL: 'smtps://me%40example.com:se%3Acret@mail.example.com', MAIL_FROM: 'console@example.com' }
  assert.deepEqual(readConfig(both).mail, {
    host: 'mail.example.com',
    port: 465,
    isSecure: true,
    isHere: false,
    login: { user: 'me@example.com', password: 'se:cret' },
    from: both.MAIL_FROM,
  })
  const here = readConfig({ ...both, SMTP_URL: 'smtp://[::1]:2525' }).mail
  assert.deepEqual([here?.host, here?.port, here?.isHere, here?.login], ['::1', 2525, true, null])
  assert.equal(readConfig({ ...both, SMTP_URL: 'smtp://mail.example.com' }).mail?.isHere, false)
  assert.equal(readConfig({}).mail, null)
  for (const name of Object.keys(both))
    assert.throws(() => readConfig({ ...both, [name]: '' }), refused(/^SMTP_URL and MAIL_FROM belong together/))
  for (const SMTP_URL of ['mail.example.com', 'http://a', 'smtp://a/b', 'smtp://a?b', 'smtp://u@a', 'smtp://u:%ff@a'])
    assert.throws(() => readConfig({ ...both, SMTP_URL }), refused(/^SMTP_URL must be/), SMTP_URL)
  const hides = (error: unknown) => refused(/^SMTP_URL/)(error) && !String(error).includes('secret')
  assert.throws(() => readConfig({ ...both, SMTP_URL: 'smtp://u:secret@a/b' }), hides)
  assert.throws(() => readConfig({ ...both, MAIL_FROM: 'a@b.example, c@d.example' }), refused(/^MAIL_FROM must be/))
})

test('the address of the console is an origin, https unless it is this machine', () => {
  assert.equal(readConfig({}).consoleUrl, null)
  assert.equal(readConfig({ CONSOLE_URL: 'https://Console.example.com/' }).consoleUrl, 'https://console.example.com')
  assert.equal(readConfig({ CONSOLE_URL: 'http://localhost:8081' }).consoleUrl, 'http://localhost:8081')
  for (const CONSOLE_URL of [
    'console.example.com',
    'http://console.example.com',
    'https://a/console',
    'https://a?b',
    'https://u:p@a',
  ])
    assert.throws(() => readConfig({ CONSOLE_URL }), refused(/^CONSOLE_URL must be/), CONSOLE_URL)
})

test('names of the private listener are hosts without a port, and connections per address are a number above 0', () => {
  assert.deepEqual(readConfig({ ADMIN_NAMES: 'Metrics.example.com, other.example.com' }).adminNames, [
    'metrics.example.com',
    'other.example.com',
  ])
  for (const ADMIN_NAMES of ['metrics.example.com:8081', 'https://metrics.example.com', '*.example.com/x', 'a b'])
    assert.throws(() => readConfig({ ADMIN_NAMES }), refused(/^ADMIN_NAMES/), ADMIN_NAMES)
  assert.equal(readConfig({}).maxConnectionsPerAddress, 250)
  assert.equal(readConfig({ MAX_CONNECTIONS_PER_ADDRESS: '20' }).maxConnectionsPerAddress, 20)
  assert.equal(readConfig({}).proxyIdleMs, 620_000)
  assert.equal(readConfig({ PROXY_IDLE_SECONDS: '3700' }).proxyIdleMs, 3_700_000)
  for (const PROXY_IDLE_SECONDS of ['0', '9', '-1', '1e3', 'long', '100000'])
    assert.throws(() => readConfig({ PROXY_IDLE_SECONDS }), refused(/^PROXY_IDLE_SECONDS/))
  for (const MAX_CONNECTIONS_PER_ADDRESS of ['0', '-1', '1e3', 'many', '100000'])
    assert.throws(() => readConfig({ MAX_CONNECTIONS_PER_ADDRESS }), refused(/^MAX_CONNECTIONS_PER_ADDRESS/))
})

test('workers are a number of processes, of a role with a public API, and not more than the embedded database takes', () => {
  for (const WORKERS of ['0', '-1', '1.5', 'two', '65', '1e1'])
    assert.throws(
      () => readConfig({ WORKERS }),
      refused(/^--workers \(or WORKERS\) must be a number of processes, from 1 to 64$/),
    )
  assert.equal(readConfig({ WORKERS: '64' }).workers, 64)
  const many = readConfig({ WORKERS: '9', BACKEND_URL: '', BACKEND_TOKEN: 'x'.repeat(32) })
  assert.throws(() => requireForRole(many, 'all'), refused(/^--workers may be at most 8 with the embedded PostgreSQL/))
  assert.throws(() => requireForRole(many, 'backend'), refused(/^--workers goes with the roles all and gateway/))
  requireForRole({ ...many, databaseUrl: 'postgres://owner@db/clinics' }, 'all')
})

test('a database on another machine is reached encrypted, unless the operator says that the network is safe', () => {
  const login = 'postgres://owner:secret@'
  const names = ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_REPLICA_URL', 'DATABASE_CONSOLE_URL'] as const
  const here = Object.fromEntries(names.map((name) => [name, `${login}127.0.0.1/clinics`]))
  for (const name of names) {
    for (const place of [
      'db.internal/clinics',
      '10.0.0.3/clinics',
      '[fd00::3]/clinics',
      '127.0.0.1/clinics?host=10.0.0.3',
    ]) {
      for (const mode of ['', 'disable', 'allow', 'prefer']) {
        const url = `${login}${place}${place.includes('?') ? '&' : '?'}sslmode=${mode}`
        const refusal = refused(new RegExp(`^${name} must encrypt .*sslmode=verify-full\\. DATABASE_INSECURE=1`))
        assert.throws(() => readConfig({ ...here, [name]: url }), refusal, url)
        readConfig({ ...here, [name]: url, DATABASE_INSECURE: '1' })
      }
      for (const mode of ['require', 'verify-ca', 'verify-full'])
        readConfig({ ...here, [name]: `${login}${place}${place.includes('?') ? '&' : '?'}sslmode=${mode}` })
    }
    for (const place of [
      'localhost/clinics',
      '[::1]/clinics',
      '%2Fvar%2Frun%2Fpostgresql/clinics',
      'db/a?host=/run/pg',
    ])
      readConfig({ ...here, [name]: `${login}${place}` })
  }
  for (const tail of ['10.0.0.3/a?sslmode=require&sslmode=disable', 'localhost/a?host=127.0.0.1&host=10.0.0.3'])
    assert.throws(() => readConfig({ DATABASE_URL: `${login}${tail}` }), refused(/^DATABASE_URL must encrypt/), tail)
  const both = { DATABASE_URL: `${login}10.0.0.3/a`, DATABASE_OWNER_URL: `${login}10.0.0.3/a` }
  assert.throws(() => readConfig(both), refused(/^DATABASE_URL and DATABASE_OWNER_URL must encrypt/))
  assert.throws(() => readConfig({ DATABASE_INSECURE: 'yes' }), refused(/^DATABASE_INSECURE/))
  // The driver would ask PGHOST, which may lead anywhere.
  for (const name of names)
    for (const url of ['postgres:///a', 'postgres://db/a?host='])
      assert.throws(() => readConfig({ ...here, [name]: url }), refused(new RegExp(`^${name} must name its host`)))
})

test('libpq’s forms of a database’s address are read as libpq reads them, or named', () => {
  const read = (DATABASE_URL: string) => readConfig({ DATABASE_URL }).databaseUrl
  const socket = ['postgres://clinics@/a?host=/run/postgresql', 'postgresql:///a?host=/run/postgresql&user=clinics']
  for (const url of socket) assert.equal(new URL(read(url) ?? '').searchParams.get('host'), '/run/postgresql')
  assert.equal(
    read('postgres://a:s@db.example/a?sslmode=verify-full&sslrootcert=system&application_name=x'),
    'postgres://a:s@db.example/a?sslmode=verify-full&application_name=x',
  )
  const comma = 'postgres://a:one,two@127.0.0.1/a'
  assert.equal(read(comma), comma)
  for (const [url, line] of [
    ['postgres://a:s@db1,db2/a?sslmode=verify-full', /^DATABASE_URL names several hosts: give that of the primary/],
    ['postgres://a:s@db1:5432,db2:5433/a', /^DATABASE_URL names several hosts/],
    ['postgres://a@/a?host=db1,db2', /^DATABASE_URL names several hosts/],
    ['postgres://a@/a', /^DATABASE_URL must name its host/],
    ['postgres://a@db.example/a?sslmode=require&sslrootcert=system', /sslrootcert=system\): add sslmode=verify-full$/],
    ['host=/run/postgresql dbname=a', /^DATABASE_URL must be an address that begins with postgres:\/\//],
  ] as const)
    assert.throws(() => read(url), refused(line), url)
})

test('the authority of a Redis’s certificate is named for an encrypted address alone', () => {
  const url = 'rediss://:a@redis.example?sslrootcert=/etc/ssl/redis.pem'
  assert.equal(readConfig({ REDIS_URL: url }).redisUrl, url)
  const plain = { REDIS_URL: url.replace('rediss:', 'redis:') }
  assert.throws(() => readConfig(plain), refused(/^REDIS_URL names an authority \(sslrootcert\) and is not encrypted/))
  const system = { REDIS_URL: 'rediss://redis.example?sslrootcert=system' }
  assert.equal(readConfig(system).redisUrl, 'rediss://redis.example')
})

test('an address of Redis has no parameter that nothing would heed', () => {
  for (const parameter of ['sslcert=/a.pem', 'sslkey=/a.key', 'sslmode=verify-full'])
    assert.throws(
      () => readConfig({ REDIS_URL: `rediss://redis.example?${parameter}` }),
      refused(/^REDIS_URL takes the parameter sslrootcert alone, and not ssl(cert|key|mode)$/),
    )
})

test('by default half of the processors beyond two serve the public API', () => {
  const unset = readConfig({})
  const processors = [1, 2, 4, 6, 8, 16, 64]
  assert.deepEqual(
    processors.map((count) => workersOf(unset, 'all', count)),
    [1, 1, 1, 2, 3, 7, 8],
  )
  assert.equal(workersOf(unset, 'gateway', 64), 31)
  assert.equal(workersOf(unset, 'dispatcher', 64), 1)
})

test('a standby needs its primary, and is reached with the login that is derived for requests', () => {
  const DATABASE_REPLICA_URL = 'postgres://owner:secret@127.0.0.1:5433/clinics?sslmode=verify-full'
  assert.throws(() => readConfig({ DATABASE_REPLICA_URL }), refused(/^DATABASE_REPLICA_URL needs DATABASE_URL/))
  const DATABASE_URL = 'postgres://owner:secret@127.0.0.1:5432/clinics'
  assert.throws(() => readConfig({ DATABASE_URL, DATABASE_REPLICA_URL: '127.0.0.1' }), refused(/^DATABASE_REPLICA_URL/))
  const SECRET_KEYS = `t:${randomBytes(32).toString('base64')}`
  const derived = databaseLogins(DATABASE_URL, readConfig({ DATABASE_URL, DATABASE_REPLICA_URL, SECRET_KEYS }))
  const replica = new URL(derived.replicaUrl ?? '')
  assert.equal(replica.username, new URL(derived.appUrl ?? '').username)
  assert.notEqual(replica.username, 'owner')
  assert.equal(`${replica.host}${replica.pathname}${replica.search}`, '127.0.0.1:5433/clinics?sslmode=verify-full')
  const url = 'postgres://requests:secret@127.0.0.1:5433/clinics'
  const both = { DATABASE_URL: url.replace('5433', '5432'), DATABASE_OWNER_URL: DATABASE_URL }
  const logins = databaseLogins(both.DATABASE_URL, readConfig({ ...both, DATABASE_REPLICA_URL: url }))
  assert.equal(logins.replicaUrl, url)
})

test('the public address is https, unless it is one of this machine, and has no query, name or password', () => {
  for (const BASE_URL of ['http://api.example.com', 'http://10.0.0.7', 'http://[fd00::7]'])
    assert.throws(() => readConfig({ BASE_URL }), refused(/^BASE_URL must be https: /), BASE_URL)
  for (const BASE_URL of ['api.example.com', 'ftp://a', 'https://a?b=c', 'https://a/#b', 'https://me:secret@a'])
    assert.throws(() => readConfig({ BASE_URL }), refused(/^BASE_URL must be an https address/), BASE_URL)
  assert.equal(readConfig({ BASE_URL: 'https://api.example.com/' }).baseUrl, 'https://api.example.com')
  assert.equal(readConfig({ BASE_URL: 'http://[::1]:8080' }).baseUrl, 'http://[::1]:8080')
  assert.equal(readConfig({ HOST: '0.0.0.0' }).baseUrl, 'http://127.0.0.1:8080')
})

test('a period for which rows are kept, a rate, a token and a port are refused outside of their bounds', () => {
  const bounds = {
    EVENT_RETENTION_DAYS: { taken: ['7', '999'], refused: ['6', '1000', '-7', '7.5', 'all'] },
    AUDIT_RETENTION_DAYS: { taken: ['30', '3650'], refused: ['29', '3', '0', '030000', 'all'] },
    RATE_LIMIT: { taken: ['600/60'], refused: ['600', '0/60', '600/0', '-1/60', '600/60/1'] },
    GATEWAYS: { taken: ['1', '9999'], refused: ['0', '10000', '1.5'] },
    BACKEND_TOKEN: { taken: ['x'.repeat(32)], refused: ['x'.repeat(31)] },
    PORT: { taken: ['0', '65535'], refused: ['65536', '-1', '80a'] },
    HOST: {
      taken: ['0.0.0.0', '::1', 'fe80::1%eth0', 'db-1.example'],
      refused: ['127.0.0.1:8080', '[::1]', 'http://a'],
    },
    ADMIN_HOST: { taken: ['10.0.0.1'], refused: ['10.0.0.1:8081', 'a b'] },
    LOG_LEVEL: { taken: ['warn', 'debug', 'silent'], refused: ['trace', 'WARN'] },
  }
  for (const [name, values] of Object.entries(bounds)) {
    for (const value of values.taken) readConfig({ [name]: value })
    for (const value of values.refused)
      assert.throws(() => readConfig({ [name]: value }), refused(new RegExp(`^${name} must `)), `${name}=${value}`)
  }
  assert.equal(readConfig({}).auditRetentionDays, null)
})

test('which apps may be connected is any, those that are registered, or hosts to the letter', () => {
  const of = (CONNECT_APPS: string) => readConfig({ CONNECT_APPS }).connect.apps
  assert.deepEqual(readConfig({}).connect, { apps: 'any', mayRegister: false })
  assert.equal(of('registered'), 'registered')
  assert.deepEqual(of('claude.ai, crm.example.com'), ['claude.ai', 'crm.example.com'])
  for (const wrong of ['registered,claude.ai', 'https://claude.ai', 'claude.ai:443', 'Claude.ai', '*.example.com', ','])
    assert.throws(() => of(wrong), refused(/^CONNECT_APPS must be any, registered, or host names/), wrong)
  assert.equal(readConfig({ CONNECT_REGISTRATION: '1' }).connect.mayRegister, true)
  assert.throws(() => readConfig({ CONNECT_REGISTRATION: 'yes' }), refused(/^CONNECT_REGISTRATION must be 1 or 0/))
  assert.throws(
    () => readConfig({ CONNECT_REGISTRATION: '1', CONNECT_APPS: 'registered' }),
    refused(/^CONNECT_REGISTRATION=1 goes with CONNECT_APPS=any alone/),
  )
})
