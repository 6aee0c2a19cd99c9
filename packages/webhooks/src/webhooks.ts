// Events and their deliveries: the functions that the backend calls when a clinic's data has changed.
export { type Change, emit, sendEvents } from './events/emit.ts'
export { TargetClient } from './receiver/target-client.ts'
export { WebhookEngine } from './webhook-engine.ts'
