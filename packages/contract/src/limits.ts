// Every limit of the contract in one place. The same constants limit the input, the importers and the database's checks.

/** Longest strings, largest lists and numbers. */
export const MAX = {
  /** A request's list of event types may contain repetitions. */
  event_types: 100,
  /** An id, ours or the clinic's own system's (a UUID with a prefix fits). */
  id: 128,
  name: 200,
  person_name: 120,
  phone: 40,
  /** The phone of a lead: a text that is no number is kept as it was written. */
  lead_phone: 254,
  /** RFC 5321: the longest address that can be delivered to. */
  email: 254,
  color: 32,
  /** `2026-07-12T09:30:00.123+03:00` is 29 characters. */
  instant: 35,
  code: 64,
  note: 2000,
  description: 250,
  external_id: 200,
  address_line: 200,
  id_number: 40,
  contacts: 50,
  providers: 50,
  /** The branches of one request for free slots, besides the first. */
  further_branches: 50,
  patients: 50,
  documents: 20,
  /** The refunds of one payment that are shown. The status counts all of them. */
  refunds: 100,
  /** WhatsApp's longest text. */
  message: 4096,
  failure_reason: 500,
  template_name: 512,
  template_text: 1024,
  template_variables: 100,
  summary: 10_000,
  segments: 10_000,
  segment: 4000,
  file_name: 255,
  content_type: 127,
  url: 2048,
  /** A position of two long names in any script and an id, sealed and in base64url. */
  cursor: 4096,
  /** Major units of any currency. */
  money: 1_000_000_000,
  payment: 1_000_000,
  file: 100 * 1024 * 1024,
  catalog: 10_000,
  slots: 50_000,
  duration_minutes: 1440,
  seconds: 86_400,
  quantity: 10_000,
  attribution_keys: 30,
  attribution_value: 512,
  meta_keys: 50,
  errors: 50,
  /** Webhook subscriptions per clinic. */
  subscriptions: 20,
  /** Fields of any resource, including future ones. */
  resource_fields: 200,
} as const

/** Pages (specification, Common rules 2). */
export const PAGE = { default: 25, max: 100 } as const

/** The longest result of a tool, in characters: some 10,000 tokens for a model. A longer one is cut at a row and continued. */
export const TOOL_RESULT_CHARACTERS = 40_000

/** The days of one availability request, both ends included. */
export const AVAILABILITY_DAYS = 31

/** Requests and connections. */
export const REQUEST = {
  body_bytes: 1024 * 1024,
  /** A tool call is a query: the longest one, with 1,000 values, takes half of this. */
  mcp_body_bytes: 64 * 1024,
  json_depth: 32,
  /** Values in one body, without the names of members. The largest accepted body has some 1,200. */
  json_values: 10_000,
  url_bytes: 8 * 1024,
  header_bytes: 16 * 1024,
} as const

/** The rate limit of a key without its own, and the number of its simultaneous requests. */
export const RATE = { requests: 300, window_seconds: 60, at_once: 20 } as const

/**
 * The latest deliveries of a subscription that the console counts. A count takes as long as its rows are many, and pages ask again every
 * few seconds.
 */
export const COUNTED_DELIVERIES = 1_000

/** The chat messages of a kind that the console counts, for the same reason: after an outage a clinic can have any number of them. */
export const COUNTED_MESSAGES = 1_000

/** Events and deliveries are kept for at least so many days: a delivery is tried for a day, and replayed after that. */
export const LEAST_RETENTION_DAYS = 7

/** The lifetime of a signed file link. */
export const FILE_LINK_SECONDS = 15 * 60

/** A positive answer about a key is used for at most this long, and a revocation is acknowledged this long after its commit. */
export const KEY_CACHE_MS = 1000

/** The form of an `Idempotency-Key`: visible ASCII characters. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/
