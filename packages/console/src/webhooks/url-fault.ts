// Why the service refuses an address of a receiver. It tells that it does; the words look at what was written.

import { RefusedError } from '@clinic-data/console-parts/requests/refusal'
import type { Words } from '@clinic-data/console-words/en'

/** Undefined where the address was not refused. @param url as it was sent */
export function urlFault(error: unknown, url: string, { webhooks }: Words): string | undefined {
  if (!(error instanceof RefusedError)) return undefined
  const fault = error.placedFaults.find(({ place }) => place === '/url')
  return fault && webhooks.form.urlFaults[fault.code === 'not_public' ? 'notPublic' : reasonOf(url)]
}

function reasonOf(url: string): keyof Words['webhooks']['form']['urlFaults'] {
  if (!/^https:\/\//i.test(url)) return 'scheme'
  if (/^https:\/\/[^/?#]*@/i.test(url)) return 'credentials'
  if (url.includes('#')) return 'fragment'
  return /[^!-~]/.test(url) ? 'characters' : 'other'
}
