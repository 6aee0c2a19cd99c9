// The words of the home page, in Hebrew.
import type { home as EnHome } from '../en/home.ts'

const count = new Intl.NumberFormat('he')
const counted = (number: number, one: string, many: string) => (number === 1 ? one : `${count.format(number)} ${many}`)

export const home: typeof EnHome = {
  title: 'דף הבית',
  text: 'האינטגרציות של המרפאה במבט אחד.',
  lately: 'בשימוש לאחרונה',
  all: (number) => `כל האינטגרציות (${count.format(number)})`,
  attention: {
    title: 'דורש טיפול',
    none: 'אין. אף webhook אינו נכשל, ושום דבר אינו פג ב־14 הימים הקרובים.',
    failing: (number) => counted(number, 'webhook אחד נכשל', 'webhooks נכשלים'),
    runsOut: {
      key: (time) => `תוקף המפתח פג ב־${time}`,
      connection: (time) => `החיבור מסתיים ב־${time}`,
    },
    approvals: 'אישורים',
    waiting: (number) => counted(number, 'בקשה אחת ממתינה לך', 'בקשות ממתינות לך'),
    stopped: (time) => `נעצרה ${time}`,
  },
  readers: {
    title: 'מי קרא הכי הרבה היום',
    columns: { name: 'אינטגרציה', patients: 'מטופלים' },
    none: 'היום עדיין לא נקראו נתונים של מטופלים.',
    number: (number) => count.format(number),
  },
  fresh: {
    title: 'מה חדש מאז הביקור הקודם שלך',
    first: 'זה הביקור הראשון שלך.',
    none: (time) => `אין חדש מאז ${time}.`,
    kinds: {
      key: 'מפתח חדש:',
      connection: 'חוברה:',
      webhook: 'webhook חדש:',
      stopped: 'נעצרה:',
      disabled_webhook: 'webhook הושבת:',
    },
  },
  begin: {
    title: 'האינטגרציה הראשונה שלך',
    text: 'שותפים, אפליקציות וסוכנים מגיעים לנתוני המרפאה בדרכים האלה.',
    app: {
      title: 'אפליקציה או סוכן AI',
      text: 'Claude, ChatGPT ואחרים מתחברים בדפדפן. לא מעתיקים מפתח.',
      action: 'חיבור אפליקציה',
    },
    key: {
      title: 'תוכנה של שותף',
      text: 'השותף מקבל מפתח. המפתח פותח את מה שבוחרים, ולא יותר.',
      action: 'יצירת מפתח',
    },
    webhook: {
      title: 'תוכנה שממתינה לאירועים',
      text: 'webhook מודיע לה מה קורה במרפאה, ברגע שזה קורה.',
      action: 'יצירת webhook',
    },
  },
}
