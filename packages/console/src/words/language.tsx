// The language of the page: the chosen one, or the browser's. It decides the direction of everything.
import { DirectionProvider, useDirection } from '@mantine/core'
import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useState } from 'react'
import { en, type Words } from './en.ts'
import { he } from './he.ts'

const LANGUAGES = {
  en: { words: en, direction: 'ltr', name: 'English' },
  he: { words: he, direction: 'rtl', name: 'עברית' },
} as const satisfies Record<string, { words: Words; direction: 'ltr' | 'rtl'; name: string }>

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

interface Speech {
  language: Language
  words: Words
  speak: (language: Language) => void
}

const Spoken = createContext<Speech>({ language: 'en', words: en, speak() {} })

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage)
  const { words, direction } = LANGUAGES[language]
  const speech = useMemo(() => {
    const speak = (next: Language) => {
      localStorage.setItem(STORED, next)
      setLanguage(next)
    }
    return { language, words, speak }
  }, [language, words])
  return (
    <Spoken value={speech}>
      <DirectionProvider initialDirection={direction} detectDirection={false}>
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

export const useSpeech = () => useContext(Spoken)
export const useWords = () => useContext(Spoken).words
