// The words about how programs are connected, and about apps that ask and are connected, in each language. They come with the pages that show them: who signs in needs none of them.
import { connect as enConnect } from './en/connect.ts'
import { connections as enConnections } from './en/connections.ts'
import { consent as enConsent, device as enDevice } from './en/consent.ts'
import { connect as heConnect } from './he/connect.ts'
import { connections as heConnections } from './he/connections.ts'
import { consent as heConsent, device as heDevice } from './he/consent.ts'
import { type Language, useSpeech } from './language.tsx'

interface AppWords {
  readonly connect: typeof enConnect
  readonly connections: typeof enConnections
  readonly consent: typeof enConsent
  readonly device: typeof enDevice
}

const WORDS: Readonly<Record<Language, AppWords>> = {
  en: { connect: enConnect, connections: enConnections, consent: enConsent, device: enDevice },
  he: { connect: heConnect, connections: heConnections, consent: heConsent, device: heDevice },
}

export const useAppWords = () => WORDS[useSpeech().language]
