// The texts of the demo clinic's phone calls and chats. `{name}` and `{day}` are filled in.

export type CallScript = {
  language: 'en' | 'he'
  direction: 'inbound' | 'outbound'
  summary: string
  /** The speakers take turns, the clinic first. */
  lines: readonly string[]
}

export const CALL_SCRIPTS: readonly CallScript[] = [
  {
    language: 'en',
    direction: 'inbound',
    summary: 'The patient asked to move a check-up to {day} and agreed to the new time.',
    lines: [
      'Carmel Dental, good morning.',
      'Hello, this is {name}. I would like to move my check-up.',
      'Of course. Which day suits you?',
      '{day} would be best, in the morning.',
      'There is a place on {day} at ten. Shall I book it?',
      'Yes, please. Thank you.',
    ],
  },
  {
    language: 'he',
    direction: 'inbound',
    summary: 'המטופל ביקש לקבוע תור לשיננית ונקבע תור ליום {day}.',
    lines: [
      'מרפאת כרמל, שלום.',
      'שלום, מדבר {name}. אפשר לקבוע תור לשיננית?',
      'בוודאי. מתאים לך ביום {day}?',
      'כן, אחר הצהריים אם אפשר.',
      'קבעתי. תקבל תזכורת יום קודם.',
      'תודה רבה.',
    ],
  },
  {
    language: 'en',
    direction: 'inbound',
    summary: 'The patient reported pain after an extraction. A nurse advised on painkillers and a visit on {day}.',
    lines: [
      'Carmel Dental, how can I help?',
      'It is {name}. I had a tooth out and it still hurts.',
      'How long ago was it, and do you have any swelling?',
      'Three days ago. A little swelling, no fever.',
      'Keep taking the painkiller. The doctor would like to see you on {day}.',
      'Good, I will be there.',
    ],
  },
  {
    language: 'he',
    direction: 'inbound',
    summary: 'שאלה על מחיר הלבנה. נמסר המחיר והמטופל יחשוב על כך.',
    lines: [
      'מרפאת כרמל, שלום.',
      'שלום, כמה עולה הלבנת שיניים?',
      'אלף ארבע מאות שקלים לשתי הלסתות.',
      'תודה, אחשוב על זה ואחזור אליכם.',
    ],
  },
  {
    language: 'he',
    direction: 'outbound',
    summary: 'תזכורת לתור ביום {day}. המטופל אישר הגעה.',
    lines: [
      'שלום {name}, מדברים ממרפאת כרמל.',
      'שלום.',
      'רצינו להזכיר את התור ביום {day}.',
      'אני אגיע, תודה.',
      'להתראות.',
    ],
  },
  {
    language: 'en',
    direction: 'outbound',
    summary: 'The clinic called about an open balance. The patient will pay at the next visit on {day}.',
    lines: [
      'Hello {name}, this is Carmel Dental about your account.',
      'Yes?',
      'There is a balance from the last visit.',
      'I will settle it when I come on {day}.',
      'That is fine, thank you.',
    ],
  },
]

export const CALL_NOTES = [
  'Asked to be called back',
  'לחזור אחרי החג',
  'Wants a quote by email',
  'מבקשת תור מוקדם יותר',
] as const

export const WEEKDAYS: Record<'en' | 'he', readonly string[]> = {
  en: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday'],
  he: ['ראשון', 'שני', 'שלישי', 'רביעי', 'חמישי'],
}

/** A message: its writer, and a text, an approved template, or a picture with a caption. */
export type ChatLine = {
  from: 'clinic' | 'patient'
  text: string
  template?: string
  picture?: true
}

export const CHAT_SCRIPTS: readonly (readonly ChatLine[])[] = [
  [
    { from: 'clinic', text: 'שלום {name}, תזכורת לתור שלך ביום {day} במרפאת כרמל.', template: 'appointment_reminder' },
    { from: 'patient', text: 'תודה, אגיע' },
    { from: 'clinic', text: 'מצוין, להתראות!' },
  ],
  [{ from: 'clinic', text: 'שלום {name}, תזכורת לתור שלך ביום {day} במרפאת כרמל.', template: 'appointment_reminder' }],
  [
    { from: 'patient', text: 'Hi, can I move my appointment to {day}?' },
    { from: 'clinic', text: 'Hello {name}, yes. Is ten in the morning good for you?' },
    { from: 'patient', text: 'Perfect, thanks' },
    { from: 'clinic', text: 'Booked. See you on {day}!' },
  ],
  [
    { from: 'patient', text: 'הסתימה נשברה לי, מה עושים?', picture: true },
    { from: 'clinic', text: 'היי {name}, אפשר להגיע ביום {day} בשמונה?' },
    { from: 'patient', text: 'כן, תודה!' },
  ],
  [
    { from: 'patient', text: 'מה שעות הפתיחה ביום שישי?' },
    { from: 'clinic', text: 'ביום שישי אנחנו פתוחים משמונה עד אחת.' },
  ],
  [
    {
      from: 'clinic',
      text: 'Dear {name}, how was your visit? We would be glad to hear from you.',
      template: 'visit_feedback',
    },
    { from: 'patient', text: 'Very good, thank you 🙏' },
  ],
  [{ from: 'patient', text: 'אשמח לקבל קבלה על הטיפול האחרון' }],
]
