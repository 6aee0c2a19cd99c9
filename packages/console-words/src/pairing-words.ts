// The words of a person who works in several clinics, in each language. They come with the pages that show them.
import { pairings as en } from './en/pairings.ts'
import { pairings as he } from './he/pairings.ts'
import { type Language, useSpeech } from './language.tsx'

type PairingWords = typeof en

const WORDS: Readonly<Record<Language, PairingWords>> = { en, he }

export const usePairingWords = () => WORDS[useSpeech().language]
