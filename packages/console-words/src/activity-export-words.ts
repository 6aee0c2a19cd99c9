// The words of the export of the activity, in each language. They come with its button.
import { activityExport as en } from './activity-export/en.ts'
import { activityExport as he } from './activity-export/he.ts'
import { type Language, useSpeech } from './language.tsx'

export type ActivityExportWords = typeof en

const WORDS: Readonly<Record<Language, ActivityExportWords>> = { en, he }

export const useActivityExportWords = () => WORDS[useSpeech().language]
