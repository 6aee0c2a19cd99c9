// A failed request, told in the language of the page, with the way to try it again.

import { useWords } from '@clinic-data/console-words/language'
import { Alert, Button, Stack, Text } from '@mantine/core'
import { failureText } from '../requests/failure-text.ts'

export interface FailureProps {
  error: unknown
  /** Fields that show their own faults. */
  fields?: readonly string[]
  onRetry?: () => void
}

export function Failure({ error, fields = [], onRetry }: FailureProps) {
  const words = useWords()
  const text = failureText(error, words, fields)
  return text === null ? null : <Refused text={text} {...(onRetry && { onRetry })} />
}

export function Refused({ text, onRetry }: { text: string; onRetry?: () => void }) {
  const { retry } = useWords()
  return (
    <Alert color="red" variant="outline" role="alert" c="var(--mantine-color-error)">
      <Stack gap="xs" align="flex-start">
        {text}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {retry}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

interface ChangedMeanwhileProps {
  /** Each field that the form has, with its name and what is stored. */
  now: readonly (readonly [name: string, stored: string])[]
}

/** Somebody else has saved since the form was opened: shows what is stored now, above what the reader wants. */
export function ChangedMeanwhile({ now }: ChangedMeanwhileProps) {
  const { changed } = useWords()
  return (
    <Alert color="orange" variant="outline" role="alert" title={changed.title} c="var(--console-warning)">
      <Stack gap="xs">
        <Text size="sm">{changed.now}</Text>
        {now.map(([name, stored]) => (
          <Text key={name} size="sm" className="broken-anywhere">
            {name}: <bdi>{stored}</bdi>
          </Text>
        ))}
        <Text size="sm">{changed.again}</Text>
      </Stack>
    </Alert>
  )
}
