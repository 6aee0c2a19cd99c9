// The words of what an owner does for one patient, in each language. They come with the page that shows them.
import { type Language, useSpeech } from './language.tsx'
import { patients as en } from './patients/en.ts'
import { patients as he } from './patients/he.ts'

const WORDS: Readonly<Record<Language, typeof en>> = { en, he }

export const usePatientWords = () => WORDS[useSpeech().language]
