// The words about people and invitations, in each language. They come with the pages that show them.
import { invitation as enInvitation, memberScopes as enMemberScopes, people as enPeople } from './en/people.ts'
import { invitation as heInvitation, memberScopes as heMemberScopes, people as hePeople } from './he/people.ts'
import { type Language, useSpeech } from './language.tsx'

interface PeopleWords {
  readonly people: typeof enPeople
  readonly invitation: typeof enInvitation
  readonly memberScopes: typeof enMemberScopes
}

const WORDS: Readonly<Record<Language, PeopleWords>> = {
  en: { people: enPeople, invitation: enInvitation, memberScopes: enMemberScopes },
  he: { people: hePeople, invitation: heInvitation, memberScopes: heMemberScopes },
}

export const usePeopleWords = () => WORDS[useSpeech().language]
