// A failed request, told in the language of the page, with the way to try it again.

import { useWords } from '@clinic-data/console-words/language'
import { Alert, Button, Stack } from '@mantine/core'
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
