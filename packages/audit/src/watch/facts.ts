// The facts that each rule of the watch tells: the numbers of its reason. Counts, days, moments and networks; no patient.

/** By rule. Days are the clinic's, as `2026-10-21`; moments are instants. */
export interface Facts {
  /** First use after long silence. */
  silence: { days: number; last_day: string }
  /** A network from which the key was never used: `203.0.113.0/24`, `2001:db8:1::/48`. `known`: how many were. */
  new_network: { network: string; known: number }
  /** Many more distinct patients than ever. */
  many_patients: { patients: number; busiest: number; busiest_day: string | null }
  /** Patients in the order of their ids. */
  patients_in_order: { patients: number; longest_before: number }
  /** Many refusals, without failures of the service. */
  many_refusals: { refusals: number; requests: number; most: number; most_day: string | null }
  /** A revoked key is still tried. */
  ended_key: { ended_at: string; tried_at: string }
  /** Use after the partner was stopped. */
  stopped_partner: { ended_at: string; tried_at: string }
}

export type Rule = keyof Facts

/** The compiler asks for each rule. */
const all: Record<Rule, true> = {
  silence: true,
  new_network: true,
  many_patients: true,
  patients_in_order: true,
  many_refusals: true,
  ended_key: true,
  stopped_partner: true,
}

export const RULES: readonly Rule[] = (Object.keys(all) as string[]).filter(isRule)

export function isRule(name: string): name is Rule {
  return Object.hasOwn(all, name)
}
