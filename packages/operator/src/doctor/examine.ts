// Looks at everything that a role needs, in the order in which a start needs it. Changes nothing and starts nothing.
import { askRedis } from '@clinic-data/gateway/limits/ask-redis'
import { type Config, ConfigError } from '@clinic-data/installation/config'
import { isPublicRole, type Role, requireForRole } from '@clinic-data/installation/role'
import { givenSecretKeys, secretKeysPlace } from '@clinic-data/installation/secret-key-file'
import { requireCertificateFiles } from '@clinic-data/installation/settings/certificate-files'
import { firstLineOf } from '../output.ts'
import { baseUrlFinding, consoleUrlFindings, portFinding } from './addresses.ts'
import { lookAtBackends } from './backends.ts'
import { lookAtDataFolder } from './data-folder.ts'
import { embeddedFindings, externalFindings } from './database.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

export async function examine(config: Config, role: Role): Promise<Finding[]> {
  try {
    requireForRole(config, role)
    requireCertificateFiles(config)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [fault('settings', error.message)]
  }
  const isPublic = isPublicRole(role)
  const backends = role === 'gateway' ? await lookAtBackends(config) : null
  const folder = config.databaseUrl === null && backends === null ? await lookAtDataFolder(config.dataDir) : null
  const within = async () => [
    await secretKeysFinding(config),
    ...(backends?.findings ?? (await databaseFindings(config))),
  ]
  return [
    ok('settings', `fit the role ${role}`),
    ...(folder ? [folder.finding] : []),
    ...(folder?.isShut ? [] : await within()),
    ...(isPublic && config.redisUrl !== null ? [await redisFinding(config.redisUrl)] : []),
    ...(isPublic ? [await portFinding('public', config)] : []),
    await portFinding('admin', config),
    ...(isPublic ? [await baseUrlFinding(config)] : []),
    ...(role === 'dispatcher' ? [] : await consoleUrlFindings(config, role, backends?.connectApps ?? false)),
  ]
}

function databaseFindings(config: Config): Promise<Finding[]> {
  return config.databaseUrl === null ? embeddedFindings(config) : externalFindings(config, config.databaseUrl)
}

async function secretKeysFinding(config: Config): Promise<Finding> {
  try {
    const keys = await givenSecretKeys(config)
    if (keys !== null)
      return ok(
        'secret_keys',
        `${keys.length} in ${secretKeysPlace(config)}: keep a copy of them apart from the backups`,
      )
    if (config.databaseUrl === null && config.backendUrls.length === 0)
      return ok('secret_keys', `none yet: the first start makes one in ${secretKeysPlace(config)}`)
    return fault('secret_keys', 'SECRET_KEYS is required with DATABASE_URL or BACKEND_URL')
  } catch (error) {
    return fault('secret_keys', firstLineOf(error))
  }
}

async function redisFinding(url: string): Promise<Finding> {
  try {
    const { version, ms } = await askRedis(url)
    return ok('redis', `${version} answers in ${ms} ms`)
  } catch (error) {
    return warning('redis', `it cannot be used, so each gateway counts alone: ${firstLineOf(error)}`)
  }
}
