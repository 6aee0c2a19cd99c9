// The demo clinic's message templates, in every state that the messaging platform knows.

import { ChatTemplateRecord } from '@clinic-data/records/chat-templates'
import { type Brief, complete } from '@clinic-data/records/storing/complete-record'
import type { ClinicPlan } from './clinic-plan.ts'
import { instantText } from './local-days.ts'

/** The template for messages while the window for free text is closed. */
export const WRAPPING_TEMPLATE = { name: 'clinic_message', language: 'he' }

type Template = Omit<Brief<ChatTemplateRecord>, 'id' | 'created_at' | 'updated_at'>

const name = { name: 'name', example: 'נועה' }
const day = { name: 'day', example: 'שלישי' }

const TEMPLATES: readonly Template[] = [
  {
    name: 'appointment_reminder',
    language: 'he',
    category: 'utility',
    status: 'approved',
    body: 'שלום {{name}}, תזכורת לתור שלך ביום {{day}} במרפאת כרמל.',
    footer: 'מרפאת כרמל',
    variables: [name, day],
  },
  {
    name: 'appointment_reminder',
    language: 'en',
    category: 'utility',
    status: 'approved',
    body: 'Dear {{name}}, a reminder of your appointment on {{day}}.',
    footer: 'Carmel Dental',
    variables: [
      { name: 'name', example: 'Noa' },
      { name: 'day', example: 'Tuesday' },
    ],
  },
  {
    name: 'visit_feedback',
    language: 'en',
    category: 'marketing',
    status: 'approved',
    header: { type: 'text', text: 'Thank you for your visit' },
    body: 'Dear {{name}}, how was your visit? We would be glad to hear from you.',
    variables: [{ name: 'name', example: 'Noa' }],
  },
  {
    ...WRAPPING_TEMPLATE,
    category: 'marketing',
    status: 'approved',
    body: 'הודעה ממרפאת כרמל: {{text}}',
    footer: 'להסרה השיבו הסר',
    variables: [{ name: 'text', example: 'המרפאה תהיה סגורה ביום ראשון' }],
  },
  {
    name: 'login_code',
    language: 'he',
    category: 'authentication',
    status: 'approved',
    body: 'קוד הכניסה שלך הוא {{code}}',
    variables: [{ name: 'code', example: '123456' }],
  },
  {
    name: 'summer_whitening',
    language: 'he',
    category: 'marketing',
    status: 'pending',
    header: { type: 'image', text: null },
    body: 'קיץ לבן: הלבנת שיניים במחיר מיוחד עד {{day}}.',
    variables: [day],
  },
  {
    name: 'lottery',
    language: 'he',
    category: 'marketing',
    status: 'rejected',
    body: 'זכית! השב כן לקבלת הפרס.',
  },
  {
    name: 'birthday',
    language: 'he',
    category: 'marketing',
    status: 'paused',
    body: 'מזל טוב {{name}}! מרפאת כרמל מאחלת לך יום הולדת שמח.',
    variables: [name],
  },
  {
    name: 'old_reminder',
    language: 'he',
    category: 'utility',
    status: 'disabled',
    body: 'יש לך תור ביום {{day}}.',
    variables: [day],
  },
]

export function templates(plan: ClinicPlan): ChatTemplateRecord[] {
  const at = instantText(plan.days.at(plan.firstDay, 10 * 60))
  return TEMPLATES.map((template, i) => {
    return complete(ChatTemplateRecord, { ...template, id: `template${i + 1}`, created_at: at, updated_at: at })
  })
}
