// Findings about names: unknown ones and repeated ones.
import type { Finding } from '../input/findings.ts'
import { didYouMean } from '../values/one-slip.ts'

export function notAllowed(place: string, allowed: readonly string[], sent?: unknown): Finding {
  return { place, code: 'not_allowed', detail: `must be one of: ${allowed.join(', ')}${didYouMean(sent, allowed)}` }
}

export function duplicate(place: string, detail: string): Finding {
  return { place, code: 'duplicate', detail }
}
