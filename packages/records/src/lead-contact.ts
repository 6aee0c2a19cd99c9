// The contacts by which a lead is found: the forms in which phones and emails are compared, null for unreadable ones (docs/decisions/0030).
import { isEmail } from '@clinic-data/contract/formats'
import { normalPhoneWithExtension } from '@clinic-data/contract/phone'
import { foldEmail } from './folded-email.ts'

export function comparedLeadPhone(phone: string | null | undefined, country: string): string | null {
  return phone ? normalPhoneWithExtension(phone, country) : null
}

export function comparedLeadEmail(email: string | null | undefined): string | null {
  return email && isEmail(email) ? foldEmail(email) : null
}
