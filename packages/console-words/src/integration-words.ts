// The words of the home page, alerts, the integrations and a key's page, in each language. They come with the pages that show them.
import { alerts as enAlerts, home as enHome } from './en/home.ts'
import { integrations as enIntegrations } from './en/integrations.ts'
import { keyPage as enKeyPage } from './en/key-page.ts'
import { alerts as heAlerts, home as heHome } from './he/home.ts'
import { integrations as heIntegrations } from './he/integrations.ts'
import { keyPage as heKeyPage } from './he/key-page.ts'
import { type Language, useSpeech } from './language.tsx'

interface IntegrationWords {
  readonly home: typeof enHome
  readonly alerts: typeof enAlerts
  readonly integrations: typeof enIntegrations
  readonly keyPage: typeof enKeyPage
}

const WORDS: Readonly<Record<Language, IntegrationWords>> = {
  en: { home: enHome, alerts: enAlerts, integrations: enIntegrations, keyPage: enKeyPage },
  he: { home: heHome, alerts: heAlerts, integrations: heIntegrations, keyPage: heKeyPage },
}

export const useIntegrationWords = () => WORDS[useSpeech().language]
