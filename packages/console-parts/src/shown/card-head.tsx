// The head of a card: what it shows, and a sentence about it.
import { Text, Title } from '@mantine/core'

/** @param mb - What the sentence keeps free below itself. */
export function CardHead({ title, text, mb }: { title: string; text: string; mb?: 'md' }) {
  return (
    <div>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text size="sm" c="dimmed" mt={4} {...(mb && { mb })}>
        {text}
      </Text>
    </div>
  )
}
