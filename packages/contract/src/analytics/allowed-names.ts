// Findings about names: what may stand in a place, and what stands there twice.
import type { Finding } from '../findings.ts'

export function notAllowed(place: string, allowed: readonly string[]): Finding {
  return { place, code: 'not_allowed', detail: `must be one of: ${allowed.join(', ')}` }
}

export function duplicate(place: string, detail: string): Finding {
  return { place, code: 'duplicate', detail }
}
