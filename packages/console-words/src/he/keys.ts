// The words of the keys, minting, rotating and revoking them, in Hebrew.
import type { Words } from '../en.ts'

const count = new Intl.NumberFormat('he')
const requests = (number: number) => (number === 1 ? 'בקשה אחת' : `${count.format(number)} בקשות`)

export const keys: Words['keys'] = {
  title: 'מפתחות API',
  text: 'מפתח מאפשר לאינטגרציה אחת לקרוא או לשנות את נתוני המרפאה, בגבולות ההרשאות שלו.',
  mint: 'מפתח חדש',
  refresh: 'רענון',
  asOf: (time) => `נכון לשעה ${time}`,
  empty: 'עדיין אין מפתחות',
  emptyText: 'כדאי ליצור מפתח לכל אינטגרציה. כך אפשר לבטל כל אחד לחוד.',
  columns: {
    name: 'שם',
    key: 'מפתח',
    used: 'שימוש אחרון',
    requests: '24 השעות האחרונות',
    made: 'נוצר',
    actions: 'פעולות',
  },
  never: 'אף פעם',
  requests,
  operator: 'המפעיל',
  madeBy: (time, by) => `${time}, על ידי ${by}`,
  expires: (time) => `בתוקף עד ${time}`,
  beyond: (days) => `בתוקף יותר מ־${days} הימים שהמרפאה מאפשרת עכשיו`,
  state: { revoked: 'בוטל', expired: 'פג תוקף', replaced: 'בהחלפה', stopped: 'בעצירה' },
  ended: (number) => `מפתחות שבוטלו או שתוקפם פג (${count.format(number)})`,
  permissions: (number) => (number === 1 ? 'הרשאה אחת' : `${number} הרשאות`),
  actionsOf: (name) => `פעולות עבור ${name}`,
  rotate: 'החלפה',
  revoke: 'ביטול המפתח',
  rotating: (name) => `יש מפתח חדש יותר עבור ${name}`,
  stillUsed: (used) => `המפתח הישן שלח ${used} ב־24 השעות האחרונות. קודם יש להכניס את החדש לאינטגרציה.`,
  unused: 'לא נעשה שימוש במפתח הישן ב־24 השעות האחרונות. אפשר לבטל אותו.',
  revokeOld: 'ביטול המפתח הישן',
}

export const mint: Words['mint'] = {
  title: 'מפתח חדש',
  rotateTitle: (name) => `החלפת ${name}`,
  rotateText: 'לצד המפתח הישן נוצר מפתח שני עם אותן הרשאות. הישן פועל עד שמבטלים אותו.',
  name: 'שם',
  nameHint: 'לשם מה המפתח, לדוגמה: טופס באתר',
  presets: 'מה מותר למפתח?',
  preset: {
    bi: ['קריאה ל־BI', 'קורא הכול חוץ מלידים, ואינו משנה דבר.'],
    leads: ['קליטת לידים', 'יוצר לידים ואינו רואה דבר.'],
    agent: ['סוכן', 'עונה על שאלות על היומן, המטופלים והנתונים.'],
    own: ['בחירה אישית', 'בחירה של כל הרשאה בנפרד למטה.'],
  },
  scopes: 'הרשאות',
  expiry: 'תוקף',
  expiries: { never: 'ללא הגבלה', days: (days) => (days === 365 ? 'שנה' : `${days} ימים`) },
  rate: 'בקשות לדקה',
  rateHint: 'ריק: כרגיל',
  submit: 'יצירת המפתח',
  already: 'המפתח נוצר, אבל החיבור נותק לפני שהוצג. יש לבטל אותו ברשימה וליצור מפתח אחר.',
}

export const shown: Words['shown'] = {
  title: 'זה הזמן להעתיק את המפתח',
  text: 'הוא מוצג פעם אחת בלבד. איש לא יוכל להציג אותו שוב, גם לא אנחנו.',
  key: 'המפתח',
  curl: 'לנסות אותו במסוף',
  sc: 'או לשמור אותו לשורת הפקודה',
  afterRotation: 'עכשיו יש להכניס אותו לאינטגרציה. כשהבקשות במפתח הישן יורדות לאפס, אפשר לבטל אותו.',
  done: 'העתקתי את המפתח',
}

export const revoke: Words['revoke'] = {
  title: (name) => `לבטל את ${name}?`,
  text: 'מרגע הביטול הוא נדחה. אי אפשר לחזור מזה.',
  used: (used) => `המפתח שלח ${used} ב־24 השעות האחרונות. בקשות כאלה יידחו.`,
  submit: 'ביטול המפתח',
  webhooks: {
    goOn: (number) =>
      number === 1
        ? 'webhook שנוצר במפתח הזה ממשיך לשלוח אל:'
        : `${number} webhooks שנוצרו במפתח הזה ממשיכים לשלוח אל:`,
    fate: 'עם ביטול המפתח',
    keep: 'להשאיר אותם פועלים',
    stop: 'לעצור אותם',
    remove: 'למחוק אותם',
  },
}

export const scopes: Words['scopes'] = {
  'patients:read': 'קריאה וחיפוש של מטופלים.',
  'appointments:read': 'קריאת תורים.',
  'availability:read': 'צפייה בתורים פנויים.',
  'treatments:read': 'קריאת טיפולים שנרשמו.',
  'payments:read': 'קריאת תשלומים והחזרים.',
  'payments:write': 'רישום תשלומים והפקת המסמכים החשבונאיים שלהם.',
  'leads:write': 'יצירת לידים. שליחה שמתאימה לליד פתוח מציגה אותו.',
  'leads:read': 'קריאת לידים: שמות, טלפונים, כתובות דוא״ל ומה ביקשו.',
  'calls:read': 'קריאת יומן השיחות, סיכומים, תמלולים והקלטות.',
  'chat:read': 'קריאת התכתבויות, הודעות וקבצים.',
  'chat:write': 'שליחת הודעות למטופלים.',
  'catalog:read': 'קריאת סניפים, סוגי תורים, טיפולים, מטפלים ורשימות אחרות.',
  'analytics:read': 'שאילת נתונים: ספירות, סכומים וממוצעים.',
  'webhooks:manage': 'ניהול webhooks. האירועים שלהם נושאים פרטים מלאים של מטופלים, תורים ותשלומים.',
}
