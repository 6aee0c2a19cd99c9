// Reads the settings of WhatsApp's platform.
import { isLoopback, urlOf } from './addresses.ts'
import { ConfigError } from './config-error.ts'
import type { Settings } from './setting-names.ts'

export interface WhatsAppConfig {
  /** The secret that signs Meta's reports, and the token that Meta asks for when the webhook is set up. Null: no webhook. */
  webhook: { appSecret: string; verifyToken: string } | null
  /** The token for sending messages. Null: none can be sent. */
  accessToken: string | null
  /** Null: the address of Meta itself. */
  apiUrl: string | null
}

export function whatsappOf(value: Settings): WhatsAppConfig {
  return {
    webhook: webhookOf(value('WHATSAPP_APP_SECRET'), value('WHATSAPP_VERIFY_TOKEN')),
    accessToken: value('WHATSAPP_ACCESS_TOKEN'),
    apiUrl: apiOf(value('WHATSAPP_API_URL')),
  }
}

function webhookOf(appSecret: string | null, verifyToken: string | null): WhatsAppConfig['webhook'] {
  if (appSecret === null && verifyToken === null) return null
  if (appSecret === null || verifyToken === null) {
    throw new ConfigError('WHATSAPP_APP_SECRET and WHATSAPP_VERIFY_TOKEN belong together: set both, or neither')
  }
  return { appSecret, verifyToken }
}

function apiOf(text: string | null): string | null {
  const url = urlOf('WHATSAPP_API_URL', text, ['https:', 'http:'])
  if (url !== null && new URL(url).protocol === 'http:' && !isLoopback(new URL(url).hostname)) {
    throw new ConfigError('WHATSAPP_API_URL must be https: the access token must be encrypted on the way')
  }
  return url
}
