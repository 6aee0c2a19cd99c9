// The usual permissions of a new key, by its use.
import type { Scope } from './scopes.ts'
import { allScopes, readScopes } from './scopes.ts'

export type Preset = 'bi' | 'leads' | 'agent' | 'own'

/** An agent needs no conversations: what patients write to the clinic is not for a model without asking. */
const AGENT: readonly Scope[] = readScopes.filter((scope) => scope !== 'chat:read' && scope !== 'calls:read')

const PRESETS: Record<Exclude<Preset, 'own'>, readonly Scope[]> = {
  bi: readScopes,
  leads: ['leads:write'],
  agent: AGENT,
}

export const presets: readonly Preset[] = ['bi', 'leads', 'agent', 'own']

export function scopesOf(preset: Preset): readonly Scope[] | null {
  return preset === 'own' ? null : PRESETS[preset]
}

/** The preset with exactly these scopes. Null: nothing is chosen yet. */
export function presetOf(scopes: readonly Scope[]): Preset | null {
  if (scopes.length === 0) return null
  const same = (preset: Preset) => {
    const held = scopesOf(preset)
    return held?.length === scopes.length && held.every((scope) => scopes.includes(scope))
  }
  return presets.find(same) ?? 'own'
}

/** In the contract's order. */
export const withScope = (scopes: readonly Scope[], changed: Scope, isHeld: boolean): readonly Scope[] =>
  allScopes.filter((scope) => (scope === changed ? isHeld : scopes.includes(scope)))
