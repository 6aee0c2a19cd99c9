// Reads where alerts of the watch over the audit log are posted: both settings, or none.
import type { AlertTarget } from '@clinic-data/administration/alerts/alert-webhook'
import { isWebhookSecret } from '@clinic-data/contract/webhook-signature'
import { isLoopback } from './addresses.ts'
import { ConfigError } from './config-error.ts'
import type { Settings } from './setting-names.ts'

/** @throws ConfigError */
export function alertsOf(value: Settings): AlertTarget | null {
  const [url, secret] = [value('ALERT_URL'), value('ALERT_SECRET')]
  if (url === null && secret === null) return null
  if (url === null || secret === null)
    throw new ConfigError('ALERT_URL and ALERT_SECRET belong together: set both, or none')
  const read = URL.canParse(url) ? new URL(url) : null
  const isHere = read?.protocol === 'http:' && isLoopback(read.hostname.replace(/^\[|\]$/g, ''))
  if (read === null || read.username !== '' || !(read.protocol === 'https:' || isHere))
    throw new ConfigError(
      'ALERT_URL must be an https address without a user and a password, for example https://alerts.example.com/clinics',
    )
  if (!isWebhookSecret(secret))
    throw new ConfigError('ALERT_SECRET must be whsec_ and the base64 of 32 random bytes: openssl rand -base64 32')
  return { url, secret }
}
