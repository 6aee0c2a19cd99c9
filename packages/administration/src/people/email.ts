// Reads the e-mail of a person as it is stored and compared.
import { isEmail } from '@clinic-data/contract/formats'
import { foldEmail } from '@clinic-data/records/folded-email'

const LONGEST = 254

/** Null for a text that is no e-mail. */
export function readEmail(text: string): string | null {
  const folded = foldEmail(text)
  return isEmail(folded) && folded.length <= LONGEST ? folded : null
}
