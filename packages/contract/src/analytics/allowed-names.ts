// Findings about names: unknown ones and repeated ones.
import type { Finding } from '../input/findings.ts'

export function notAllowed(place: string, allowed: readonly string[]): Finding {
  return { place, code: 'not_allowed', detail: `must be one of: ${allowed.join(', ')}` }
}

export function duplicate(place: string, detail: string): Finding {
  return { place, code: 'duplicate', detail }
}
