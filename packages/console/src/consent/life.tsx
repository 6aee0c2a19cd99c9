// How long an app stays connected. One that nobody ends ends by itself, unless somebody wants it otherwise.

import { useSession } from '@clinic-data/console-parts/session'
import { useAppWords } from '@clinic-data/console-words/app-words'
import { useWords } from '@clinic-data/console-words/language'
import { NativeSelect } from '@mantine/core'

const DAYS = [30, 90, 365] as const
/** A connection that is given an end lasts no longer. */
const MOST_DAYS = 365
const USUAL_DAYS = 90

/** So many days. Null: until somebody ends it. */
export type Life = number | null

/** The choices of a form, within the longest life that the clinic allows. */
export function livesWithin(longest: Life): readonly Life[] {
  if (longest === null) return [...DAYS, null]
  return [...new Set([...DAYS.filter((days) => days < longest), Math.min(longest, MOST_DAYS)])]
}

/** A form begins with this. */
export const usualLife = (longest: Life): Life => Math.min(USUAL_DAYS, longest ?? USUAL_DAYS)

const UNTIL_ENDED = 'until-ended'
/** As the value of a choice. */
export const textOf = (life: Life) => (life === null ? UNTIL_ENDED : String(life))
export const lifeOf = (text: string): Life => (text === UNTIL_ENDED ? null : Number(text))

export function LifeSelect({ life, onChange }: { life: Life; onChange: (life: Life) => void }) {
  const { consent } = useAppWords()
  const { longest } = useWords()
  const { longest_life_days } = useSession()
  return (
    <NativeSelect
      className="life"
      size="sm"
      label={consent.until}
      {...(longest_life_days !== null && { description: longest.atMost(longest_life_days) })}
      value={textOf(life)}
      onChange={({ currentTarget }) => onChange(lifeOf(currentTarget.value))}
      data={livesWithin(longest_life_days).map((value) => ({ value: textOf(value), label: consent.life(value) }))}
    />
  )
}
