// The limits of the backend port. A process that reads its settings needs them without the forms of the port's bodies.

export const PORT_LIMITS = {
  /** The longest time for a call, even if its deadline is later. */
  deadline_ms: 8000,
  /** The gateway's own limit of 1 MiB, written again as JSON, and an audit group whose rows name 50,000 ids. */
  request_bytes: 16 * 1024 * 1024,
  /** 50,000 free slots take 10 MB. The limit does not apply to files. */
  response_bytes: 16 * 1024 * 1024,
  /** A statement of this many rows takes some milliseconds. Larger groups would only make their requests wait. */
  audit_rows: 500,
  /** The most calls in one message, and the longest body of one of them in characters: together far below `request_bytes`. */
  calls: 64,
  call_characters: 32 * 1024,
  /** A parameter of an app's form: its metadata with some dozen redirect URIs, or a signed assertion. */
  form_characters: 32 * 1024,
  form_parameters: 40,
  /** A shorter token could be guessed. */
  token_characters: 32,
} as const
