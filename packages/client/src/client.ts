// The entry point of the Clinic Data API client.
export type { Fetch } from './attempt.ts'
export type { TokenRequest, TokenSource } from './bearer.ts'
export { type ClientOptions, ClinicDataClient } from './clinic-data-client.ts'
export * from './errors.ts'
export type { EventEnvelope } from './event-envelope.ts'
export type { OperationTypes, Resources } from './generated/methods.ts'
export type * from './generated/resources.ts'
export type { DetailedOutputOf, InputOf, OutputOf } from './method.ts'
export type { OperationId } from './operation-record.ts'
export { type PageOf, Pages } from './pages.ts'
export type { Answer, RequestInput, RequestOptions } from './request.ts'
export {
  type ReceivedWebhook,
  TOLERANCE_SECONDS,
  verifyWebhook,
  type WebhookFault,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts'
