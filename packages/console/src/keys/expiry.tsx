// How long a new key works. A key that nobody ends ends by itself, unless somebody wants it otherwise.

import { useWords } from '@clinic-data/console-words/language'
import { NativeSelect } from '@mantine/core'

const DAYS = [30, 90, 180, 365] as const
const NEVER = 'never'
/** The choices of a form. */
export const EXPIRIES: readonly string[] = [...DAYS.map(String), NEVER]
const DAY_MS = 86_400_000

/** A form begins with this. */
export const USUAL_EXPIRY = '90'

/** As the request says it. */
export const expiryOf = (chosen: string) =>
  chosen === NEVER ? {} : { expires_at: new Date(Date.now() + Number(chosen) * DAY_MS).toISOString() }

interface ExpiryProps {
  chosen: string
  onChange: (chosen: string) => void
  fault: string | undefined
}

export function Expiry({ chosen, onChange, fault }: ExpiryProps) {
  const { mint } = useWords()
  return (
    <NativeSelect
      label={mint.expiry}
      value={chosen}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={fault}
      data={[
        ...DAYS.map((days) => ({ value: String(days), label: mint.expiries.days(days) })),
        { value: NEVER, label: mint.expiries.never },
      ]}
    />
  )
}
