// The words of a second person's approval, in each language. They come with the pages that show them.
import { approvals as en } from './en/approvals.ts'
import { approvals as he } from './he/approvals.ts'
import { type Language, useSpeech } from './language.tsx'

type ApprovalWords = typeof en

const WORDS: Readonly<Record<Language, ApprovalWords>> = { en, he }

export const useApprovalWords = () => WORDS[useSpeech().language]
