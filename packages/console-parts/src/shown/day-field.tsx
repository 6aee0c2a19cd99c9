// A field for a day. On its way to 2026 a typed year is 2, 20 and 202: nothing asks for such a day.
import { TextInput } from '@mantine/core'
import { useState } from 'react'

/** No clinic has anything from before. */
const FIRST_DAY = '1900-01-01'
/** Browsers offer years of six digits otherwise. */
const LAST_DAY = '9999-12-31'

interface DayFieldProps {
  label: string
  /** `YYYY-MM-DD`, or empty. */
  day: string
  fault?: string | false | undefined
  onChoose: (day: string) => void
}

export function DayField({ label, day, fault, onChoose }: DayFieldProps) {
  const [{ text, of }, setTyped] = useState({ text: day, of: day })
  // Another day was chosen elsewhere.
  const shown = of === day ? text : day
  const type = (value: string) => {
    const isWhole = value === '' || value >= FIRST_DAY
    setTyped({ text: value, of: isWhole ? value : day })
    if (isWhole && value !== day) onChoose(value)
  }
  return (
    <TextInput
      type="date"
      label={label}
      value={shown}
      max={LAST_DAY}
      error={fault}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  )
}
