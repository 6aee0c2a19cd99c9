// The language of the page: the chosen one, or the browser's. It decides the direction of everything.
import { DirectionProvider, useDirection } from '@mantine/core'
import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useState } from 'react'
import type { Words } from './en.ts'

/** The words of a language come when it is spoken. */
const LANGUAGES = {
  en: { load: async () => (await import('./en.ts')).en, direction: 'ltr', name: 'English' },
  he: { load: async () => (await import('./he.ts')).he, direction: 'rtl', name: 'עברית' },
} as const satisfies Record<string, { load: () => Promise<Words>; direction: 'ltr' | 'rtl'; name: string }>

export type Language = keyof typeof LANGUAGES
export const languages = Object.entries(LANGUAGES).map(([id, { name }]) => ({ id: id as Language, name }))

const STORED = 'console.language'
const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(LANGUAGES, text)

function firstLanguage(): Language {
  const stored = localStorage.getItem(STORED)
  if (isLanguage(stored)) return stored
  const [wanted = 'en'] = navigator.language.split('-')
  return isLanguage(wanted) ? wanted : 'en'
}

/** A language whose words have come. */
interface Loaded {
  language: Language
  words: Words
}

interface Speech extends Loaded {
  speak: (language: Language) => void
}

const load = async (language: Language): Promise<Loaded> => ({ language, words: await LANGUAGES[language].load() })

/** @throws TypeError when the words do not come. */
export const firstWords = () => load(firstLanguage())

const Spoken = createContext<Speech | null>(null)

export function LanguageProvider({ first, children }: { first: Loaded; children: ReactNode }) {
  const [loaded, setLoaded] = useState(first)
  const { language } = loaded
  const speech = useMemo(() => {
    const speak = async (next: Language) => {
      localStorage.setItem(STORED, next)
      // In an outage the page stays as it is, and says so elsewhere. The choice holds for the next time.
      setLoaded(await load(next).catch(() => loaded))
    }
    return { ...loaded, speak }
  }, [loaded])
  return (
    <Spoken value={speech}>
      <DirectionProvider initialDirection={LANGUAGES[language].direction} detectDirection={false}>
        <Turned language={language} />
        {children}
      </DirectionProvider>
    </Spoken>
  )
}

/** Turns the document and the components round without making them anew: an open form keeps what was written. */
function Turned({ language }: { language: Language }) {
  const { setDirection } = useDirection()
  useLayoutEffect(() => {
    document.documentElement.lang = language
    setDirection(LANGUAGES[language].direction)
  }, [language, setDirection])
  return null
}

export function useSpeech(): Speech {
  const speech = useContext(Spoken)
  if (speech === null) throw new Error('words are spoken inside of the LanguageProvider')
  return speech
}

export const useWords = () => useSpeech().words
