// Mutants of the backend: WhatsApp: its reports, answers and addresses.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a signature is valid only whole',
    file: 'packages/messaging/src/whatsapp-webhook.ts',
    from: "return timingSafeEqual(Buffer.from(signature, 'hex'), createHmac('sha256', appSecret).update(rawBody).digest())",
    to: "return timingSafeEqual(Buffer.from(signature, 'hex').subarray(0, 8), createHmac('sha256', appSecret).update(rawBody).digest().subarray(0, 8))",
    caught: {
      by: 'packages/messaging/test/whatsapp-webhook.test.ts',
      test: 'a signature with any one digit changed is not valid',
    },
  },
  {
    breaks: 'without an app secret no signature is valid',
    file: 'packages/messaging/src/whatsapp-webhook.ts',
    from: "if (signature === undefined || appSecret === '') return false",
    to: 'if (signature === undefined) return false',
    caught: {
      by: 'packages/messaging/test/whatsapp-webhook.test.ts',
      test: 'without an app secret no signature is valid',
    },
  },
  {
    breaks: 'the access token goes to no host that only ends like the platform’s',
    file: 'packages/messaging/src/whatsapp-address.ts',
    from: '/(^|\\.)(fbsbx',
    to: '/(fbsbx',
    caught: {
      by: 'packages/messaging/test/whatsapp-media.test.ts',
      test: 'media is fetched only from the API or, over TLS, from the platform’s own media hosts',
    },
  },
  {
    breaks: 'media is fetched over TLS',
    file: 'packages/messaging/src/whatsapp-address.ts',
    from: "(url.protocol === 'https:' && api.protocol === 'https:' && MEDIA_HOST",
    to: "(api.protocol === 'https:' && MEDIA_HOST",
    caught: {
      by: 'packages/messaging/test/whatsapp-media.test.ts',
      test: 'media is fetched only from the API or, over TLS, from the platform’s own media hosts',
    },
  },
  {
    breaks: 'no reason holds the access token',
    file: 'packages/messaging/src/whatsapp-error.ts',
    from: "typeof text === 'string' && secret !== null ? text.replaceAll(secret, '…') : text",
    to: "typeof text === 'string' && secret !== null && text.startsWith(secret) ? '…' : text",
    caught: {
      by: 'packages/messaging/test/whatsapp.test.ts',
      test: 'no outcome and no error contains the token, even if the platform quotes it',
    },
  },
]
