// The words for a failed attempt: by the status of the answer where that says more, else by the kind of failure.

import type { Words } from '@clinic-data/console-words/en'
import type { FailureWords } from '@clinic-data/console-words/en/webhook-failures'

interface Failed {
  error: string | null
  response_status: number | null
}

export function failureWords(words: Words['webhooks']['failures'], { error, response_status }: Failed): FailureWords {
  const isAnswered = error === 'http_4xx' || error === 'http_5xx'
  const byStatus = isAnswered && response_status !== null ? words.statuses[response_status] : undefined
  return byStatus ?? words.errors[error ?? ''] ?? words.other
}
