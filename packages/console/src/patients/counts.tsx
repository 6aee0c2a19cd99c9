// How many rows of each kind an erasure removes, makes anonymous or leaves.

import type { PatientErasure } from '@clinic-data/console-parts/api'
import { useWords } from '@clinic-data/console-words/language'
import { usePatientWords } from '@clinic-data/console-words/patient-words'
import { Text } from '@mantine/core'

interface CountsProps {
  title: string
  counts: PatientErasure['removed']
  text?: string
}

export function Counts({ title, counts, text }: CountsProps) {
  const { kinds, erasure } = usePatientWords()
  const { locale } = useWords()
  const number = new Intl.NumberFormat(locale)
  return (
    <div className="counted">
      <Text fw={600}>{title}</Text>
      {text && (
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      )}
      {counts.length === 0 ? (
        <Text size="sm">{erasure.nothing}</Text>
      ) : (
        <ul className="counts">
          {counts.map(({ kind, count }) => (
            <li key={kind}>
              <span>{kinds[kind] ?? kind}</span>
              <span>{number.format(count)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
