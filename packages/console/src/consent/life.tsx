// How long an app stays connected. One that nobody ends ends by itself, unless somebody wants it otherwise.

import { useAppWords } from '@clinic-data/console-words/app-words'
import { NativeSelect } from '@mantine/core'

export const LIVES = ['30', '90', '365', 'until-ended'] as const
export type Life = (typeof LIVES)[number]

/** A form begins with this. */
export const USUAL_LIFE: Life = '90'

/** As the request says it. */
export const daysOf = (life: Life): number | null => (life === 'until-ended' ? null : Number(life))

export function LifeSelect({ life, onChange }: { life: Life; onChange: (life: Life) => void }) {
  const { consent } = useAppWords()
  return (
    <NativeSelect
      className="life"
      size="sm"
      label={consent.until}
      value={life}
      onChange={({ currentTarget }) => onChange(currentTarget.value as Life)}
      data={LIVES.map((value) => ({ value, label: consent.lives[value] }))}
    />
  )
}
