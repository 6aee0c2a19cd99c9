// The client of the Clinic Data API: what an integration imports.
export type { EventEnvelope } from './event-envelope.ts'
export {
  type ReceivedWebhook,
  TOLERANCE_SECONDS,
  verifyWebhook,
  type WebhookFault,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts'
