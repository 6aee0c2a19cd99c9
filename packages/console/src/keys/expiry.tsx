// How long a new key works. A key that nobody ends ends by itself, unless somebody wants it otherwise.

import { useSession } from '@clinic-data/console-parts/session'
import { useWords } from '@clinic-data/console-words/language'
import { NativeSelect } from '@mantine/core'

const DAYS = [30, 90, 180, 365] as const
const NEVER = 'never'
const DAY_MS = 86_400_000
const USUAL_DAYS = 90

/** The choices of a form, within the longest life that the clinic allows. */
export function expiriesWithin(longest: number | null): readonly string[] {
  if (longest === null) return [...DAYS.map(String), NEVER]
  return [...new Set([...DAYS.filter((days) => days < longest), longest])].map(String)
}

/** A form begins with this. */
export const usualExpiry = (longest: number | null) => String(Math.min(USUAL_DAYS, longest ?? USUAL_DAYS))

/** As the request says it. */
export const expiryOf = (chosen: string) =>
  chosen === NEVER ? {} : { expires_at: new Date(Date.now() + Number(chosen) * DAY_MS).toISOString() }

interface ExpiryProps {
  chosen: string
  onChange: (chosen: string) => void
  fault: string | undefined
}

export function Expiry({ chosen, onChange, fault }: ExpiryProps) {
  const { mint, longest } = useWords()
  const { longest_life_days } = useSession()
  return (
    <NativeSelect
      label={mint.expiry}
      {...(longest_life_days !== null && { description: longest.atMost(longest_life_days) })}
      value={chosen}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={fault}
      data={expiriesWithin(longest_life_days).map((value) => ({
        value,
        label: value === NEVER ? mint.expiries.never : mint.expiries.days(Number(value)),
      }))}
    />
  )
}
