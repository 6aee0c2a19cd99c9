// The words of the administrator's own account, in Hebrew.
import type { Words } from '../en.ts'

export const account: Words['account'] = {
  title: 'החשבון שלך',
  clinic: 'מרפאה',
  zone: 'אזור זמן',
  setTitle: 'קביעת סיסמה',
  changeTitle: 'שינוי הסיסמה',
  setText: 'כך אפשר להיכנס בלי קישור.',
  current: 'הסיסמה הנוכחית',
  currentHint: 'אם נכנסת עכשיו בקישור, אפשר להשאיר ריק.',
  password: 'סיסמה חדשה',
  passwordHint: 'לפחות 12 תווים. קל לזכור כמה מילים.',
  repeated: 'הסיסמה החדשה שוב',
  submit: 'שמירת הסיסמה',
  saved: 'הסיסמה נשמרה. שאר החיבורים שלך הסתיימו.',
  sessions: 'חיבורים',
  sessionsText: (minutes, time) =>
    `חיבור מסתיים אחרי ${minutes} דקות ללא שימוש. החיבור הזה מסתיים לכל המאוחר ב־${time}.`,
  signOut: 'יציאה',
  everywhere: 'יציאה מכל המכשירים',
  noPassword: 'עדיין אין לך סיסמה.',
  noPasswordAction: 'לקביעת סיסמה',
}
