// Mutants of the service's settings and secret keys.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'the public address of another machine is https',
    file: 'packages/installation/src/settings/addresses.ts',
    from: "  if (url.protocol === 'http:' && !isLoopback(url.hostname.replace(/^\\[|\\]$/g, ''))) {\n    throw new ConfigError('BASE_URL",
    to: "  if (url.protocol === 'http:' && url.hostname.includes('.')) {\n    throw new ConfigError('BASE_URL",
    caught: {
      by: 'packages/installation/test/config.test.ts',
      test: 'the public address is https, unless it is one of this machine, and has no query, name or password',
    },
  },
  {
    breaks: 'a backend on another machine must use https',
    file: 'packages/installation/src/settings/addresses.ts',
    from: "url.protocol === 'http:' && !isInsecureAllowed && !isLoopback(",
    to: "url.protocol === 'http:' && !isInsecureAllowed && url.port === '' && !isLoopback(",
    caught: {
      by: 'packages/installation/test/config.test.ts',
      test: 'a backend on another machine must use https, unless the operator says that the network is safe',
    },
  },
  {
    breaks: "a backend's address with a name and a password is refused",
    file: 'packages/installation/src/settings/addresses.ts',
    from: " || url.username !== '') {\n      throw new ConfigError('BACKEND_URL must be an https",
    to: ") {\n      throw new ConfigError('BACKEND_URL must be an https",
    caught: {
      by: 'packages/installation/test/config.test.ts',
      test: 'a malformed backend address, or one with a name and a password, is refused',
    },
  },
  {
    breaks: 'an identity provider is reached by https, or on this machine',
    file: 'packages/installation/src/settings/openid.ts',
    from: "url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere)",
    to: "url.protocol !== 'https:' && url.protocol !== 'http:'",
    caught: {
      by: 'packages/installation/test/config.test.ts',
      test: 'the settings of the identity provider are all given or none, and its address is https or on this machine',
    },
  },
  {
    breaks: 'the settings of the identity provider are all given or none',
    file: 'packages/installation/src/settings/openid.ts',
    from: 'if (issuer === null && clientId === null && clientSecret === null && name === null) {',
    to: 'if (issuer === null || clientId === null || clientSecret === null || name === null) {',
    caught: {
      by: 'packages/installation/test/config.test.ts',
      test: 'the settings of the identity provider are all given or none, and its address is https or on this machine',
    },
  },
  {
    breaks: 'the identity provider is not required where there is none',
    file: 'packages/installation/src/settings/openid.ts',
    from: 'if (alone) throw',
    to: 'if (false) throw',
    caught: {
      by: 'packages/installation/test/config.test.ts',
      test: 'the settings of the identity provider are all given or none, and its address is https or on this machine',
    },
  },
  {
    breaks: 'an origin that no browser would send is refused',
    file: 'packages/installation/src/settings/addresses.ts',
    from: 'new URL(origin).origin !== origin',
    to: "new URL(origin).origin === 'null'",
    caught: {
      by: 'packages/installation/test/allowed-origins.test.ts',
      test: 'an origin that no browser would send is refused',
    },
  },
  {
    breaks: 'a token between machines has at least 32 characters',
    file: 'packages/installation/src/config.ts',
    from: 'text.length < PORT_LIMITS.token_characters',
    to: 'text.length < PORT_LIMITS.token_characters - 1',
    caught: {
      by: 'packages/installation/test/config.test.ts',
      test: 'a period for which rows are kept, a rate, a token and a port are refused outside of their bounds',
    },
  },
  {
    breaks: 'the audit log is kept for at least 30 days',
    file: 'packages/installation/src/config.ts',
    from: 'Number(text) < 30)',
    to: 'Number(text) < 3)',
    caught: {
      by: 'packages/installation/test/config.test.ts',
      test: 'a period for which rows are kept, a rate, a token and a port are refused outside of their bounds',
    },
  },
  {
    breaks: 'events are kept for at least a week',
    file: 'packages/installation/src/config.ts',
    from: 'if (days < LEAST_RETENTION_DAYS)',
    to: 'if (days < 1)',
    caught: {
      by: 'packages/installation/test/config.test.ts',
      test: 'a period for which rows are kept, a rate, a token and a port are refused outside of their bounds',
    },
  },
  {
    breaks: 'a rate limit of nothing is refused',
    file: 'packages/installation/src/config.ts',
    from: 'if (!Number(requests) || !Number(seconds))',
    to: 'if (!Number(requests) || seconds === undefined)',
    caught: {
      by: 'packages/installation/test/config.test.ts',
      test: 'a period for which rows are kept, a rate, a token and a port are refused outside of their bounds',
    },
  },
  {
    breaks: 'a standby needs its primary',
    file: 'packages/installation/src/settings/database.ts',
    from: 'if (databaseReplicaUrl !== null && databaseUrl === null)',
    to: "if (databaseReplicaUrl === '' && databaseUrl === null)",
    caught: {
      by: 'packages/installation/test/config.test.ts',
      test: 'a standby needs its primary, and is reached with the login that is derived for requests',
    },
  },
  {
    breaks: 'half of an incomplete WhatsApp webhook is refused',
    file: 'packages/installation/src/settings/whatsapp.ts',
    from: 'if (appSecret === null || verifyToken === null) {',
    to: 'if (appSecret === null) {',
    caught: {
      by: 'packages/server/test/serve-chat.test.ts',
      test: 'an incomplete webhook configuration and an API without https are refused',
    },
  },
  {
    breaks: 'the token for WhatsApp is sent only by https',
    file: 'packages/installation/src/settings/whatsapp.ts',
    from: "url !== null && new URL(url).protocol === 'http:' && !isLoopback(",
    to: "url === '' && new URL(url).protocol === 'http:' && !isLoopback(",
    caught: {
      by: 'packages/server/test/serve-chat.test.ts',
      test: 'an incomplete webhook configuration and an API without https are refused',
    },
  },
  {
    breaks: 'an empty file of secret keys is neither read nor replaced',
    file: 'packages/installation/src/secret-key-file.ts',
    from: "  if (list === '') {",
    to: "  if (list === ' ') {",
    caught: {
      by: 'packages/installation/test/secret-key-file.test.ts',
      test: 'an empty file is an error: it is neither read as keys nor replaced',
    },
  },
  {
    breaks: 'secret keys are made once',
    file: 'packages/installation/src/secret-key-file.ts',
    from: '  await keepNewFile(path,',
    to: '  await keepFile(path,',
    caught: {
      by: 'packages/installation/test/secret-key-file.test.ts',
      test: 'keys are created once, and nothing else is left in the folder',
    },
  },
  {
    breaks: 'a misspelt setting is refused',
    file: 'packages/installation/src/settings/setting-names.ts',
    from: 'const faults = misspelt(new Set(named.keys()))',
    to: 'const faults: string[] = []',
    caught: {
      by: 'packages/installation/test/settings.test.ts',
      test: 'a misspelt name is refused while the right one is not set, and all of them at once',
    },
  },
  {
    breaks: 'a name beside the right one is another program’s',
    file: 'packages/installation/src/settings/setting-names.ts',
    from: '!named.has(name) && name.length',
    to: 'name.length',
    caught: {
      by: 'packages/installation/test/settings.test.ts',
      test: 'a misspelt name is refused while the right one is not set, and all of them at once',
    },
  },
  {
    breaks: 'a setting that is not set has its default',
    file: 'packages/installation/src/settings/setting-names.ts',
    from: '?? definitions.get(name)?.default ?? null',
    to: '?? null',
    caught: {
      by: 'packages/installation/test/allowed-origins.test.ts',
      test: 'origins are a list, which is empty by default',
    },
  },
  {
    breaks: 'a secret stands in one place',
    file: 'packages/installation/src/settings/setting-names.ts',
    from: 'if (values.has(name)) faults.push(',
    to: 'if (values.has(name) && false) faults.push(',
    caught: {
      by: 'packages/installation/test/settings.test.ts',
      test: 'each secret may stand in a file, without the line break at its end',
    },
  },
  {
    breaks: 'all wrong settings are told at once',
    file: 'packages/installation/src/config.ts',
    from: 'faults.push(error.message)',
    to: 'throw error',
    caught: {
      by: 'packages/operator/test/doctor.test.ts',
      test: 'the command tells each part in a line or as JSON, and exits with 1 for a fault and 2 for a wrong setting',
    },
  },
  {
    breaks: 'the doctor knows tables of a newer version',
    file: 'packages/operator/src/doctor/tables.ts',
    from: 'if (newer.length > 0) return warning',
    to: 'if (newer.length < 0) return warning',
    caught: {
      by: 'packages/operator/test/doctor.test.ts',
      test: 'tables of a newer version are a warning, changed ones a fault, and those that are due no harm',
    },
  },
  {
    breaks: 'the doctor tries the login of requests as requests do',
    file: 'packages/operator/src/doctor/database.ts',
    from: 'openDatabase({ url, ownerUrl, ...POOLS })',
    to: 'openDatabase({ url, ...POOLS })',
    caught: {
      by: 'packages/operator/test/doctor.test.ts',
      test: 'a login for requests that is not bound by row level security is a fault',
    },
  },
  {
    breaks: 'the doctor exits with 1 for a fault',
    file: 'packages/operator/src/commands/doctor.ts',
    from: 'if (faults.length > 0) process.exitCode',
    to: 'if (faults.length > 1) process.exitCode',
    caught: {
      by: 'packages/operator/test/doctor.test.ts',
      test: 'the command tells each part in a line or as JSON, and exits with 1 for a fault and 2 for a wrong setting',
    },
  },
  {
    breaks: 'a start does not wait for a pooler to become PostgreSQL',
    file: 'packages/installation/src/database/away.ts',
    from: ' || isUnfitPooler(cause)',
    to: '',
    caught: {
      by: 'packages/server/test/waiting.test.ts',
      test: 'a pooler that refuses the settings of connections is not waited for',
    },
  },
  {
    breaks: 'a connection through a pooler has its settings',
    file: 'packages/database/src/connections/pooler.ts',
    from: 'count(set_config(name, value, false))',
    to: 'count(name)',
    caught: {
      by: 'packages/database/test/pooler.test.ts',
      test: 'a pooler in session mode is used, with the settings and the notices of each connection',
    },
  },
  {
    breaks: 'a pooler that does not keep sessions is refused',
    file: 'packages/database/src/connections/pooler.ts',
    from: 'if (by !== listening) throw',
    to: 'if (by === undefined) throw',
    caught: {
      by: 'packages/database/test/pooler.test.ts',
      test: 'a pooler that shares sessions is refused: pool_mode = transaction',
    },
  },
  {
    breaks: 'a primary behind a pooler is not taken for a standby',
    file: 'packages/database/src/connections/connect.ts',
    from: 'requireRole(await setInSession(client, settings), role)',
    to: 'void (await setInSession(client, settings))',
    caught: {
      by: 'packages/database/test/pooler.test.ts',
      test: 'a primary behind a pooler is not taken for a standby',
    },
  },
  {
    breaks: 'a pooler that drops the settings of connections is refused',
    file: 'packages/database/src/connections/server-check.ts',
    from: "if (found.propagation !== 'local')",
    to: "if (found.propagation === 'none')",
    caught: {
      by: 'packages/database/test/pooler.test.ts',
      test: 'a pooler in session mode that drops the settings is named',
    },
  },
  {
    breaks: 'a database on another machine is reached encrypted',
    file: 'packages/installation/src/settings/database.ts',
    from: "  if (!flagOf('DATABASE_INSECURE', value('DATABASE_INSECURE'))) refuseUnencrypted(urls)\n",
    to: '',
    caught: {
      by: 'packages/installation/test/config.test.ts',
      test: 'a database on another machine is reached encrypted, unless the operator says that the network is safe',
    },
  },
  {
    breaks: 'only with verify-full are the authorities of everybody trusted',
    file: 'packages/installation/src/settings/database.ts',
    from: "if (parameterOf(url, 'sslmode') !== 'verify-full')",
    to: "if (parameterOf(url, 'sslmode') === null)",
    caught: {
      by: 'packages/installation/test/config.test.ts',
      test: 'libpq’s forms of a database’s address are read as libpq reads them, or named',
    },
  },
]
