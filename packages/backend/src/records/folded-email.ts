// The form of an email in which it is stored for comparison and searched.
import { visibleText } from '@clinic-data/contract/visible-text'

/** What word processors make of a hyphen. */
const DASH = /[\p{Pd}\u2212]/gu

export function foldEmail(email: string): string {
  return visibleText(email).replace(DASH, '-').trim().toLowerCase()
}
