// The names of the roles with a sentence for each, and the words of a page that is not open to a role, in each language. They come with the
// pages that show them.
import { forbidden as enForbidden, roles as enRoles } from './en/roles.ts'
import { forbidden as heForbidden, roles as heRoles } from './he/roles.ts'
import { type Language, useSpeech } from './language.tsx'

interface RoleWords {
  readonly roles: typeof enRoles
  readonly forbidden: typeof enForbidden
}

const WORDS: Readonly<Record<Language, RoleWords>> = {
  en: { roles: enRoles, forbidden: enForbidden },
  he: { roles: heRoles, forbidden: heForbidden },
}

export const useRoleWords = () => WORDS[useSpeech().language]
