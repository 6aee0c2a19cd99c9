// The name of each operation that the activity shows, in each language. They come with the pages that show them.
import { operations as en } from './en/operations.ts'
import { operations as he } from './he/operations.ts'
import { type Language, useSpeech } from './language.tsx'

export type OperationWords = typeof en

const WORDS: Readonly<Record<Language, OperationWords>> = { en, he }

export const useOperationWords = () => WORDS[useSpeech().language]
