// The form in which emails are stored for comparison and searched.
import { visibleText } from '@clinic-data/contract/visible-text'

/** The characters into which word processors turn a hyphen. */
const DASH = /[\p{Pd}\u2212]/gu

export function foldEmail(email: string): string {
  return visibleText(email).replace(DASH, '-').trim().toLowerCase()
}
