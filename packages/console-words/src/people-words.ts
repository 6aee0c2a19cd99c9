// The words about people, invitations, how everybody must sign in, roles by group and who works in several clinics, in each language. They come with
// the pages that show them.
import * as en from './en/people.ts'
import * as he from './he/people.ts'
import { type Language, useSpeech } from './language.tsx'

type PeopleWords = typeof en

const WORDS: Readonly<Record<Language, PeopleWords>> = { en, he }

export const usePeopleWords = () => WORDS[useSpeech().language]
