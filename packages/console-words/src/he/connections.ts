// The words of the connected apps, in Hebrew.
import type { connections as EnConnections } from '../en/connections.ts'

const count = new Intl.NumberFormat('he')

export const connections: typeof EnConnections = {
  title: 'אפליקציות מחוברות',
  text: 'אפליקציות וסוכנים שמישהו התיר להם להשתמש בנתוני המרפאה, בדפדפן ובלי מפתח.',
  textOfMember: 'אפליקציות וסוכנים שהתרת להם להשתמש בנתוני המרפאה. רואים אותם גם מי שמנהלים את המרפאה.',
  empty: 'עדיין אין אפליקציות מחוברות',
  emptyText: 'יש להוסיף את כתובת המרפאה באפליקציה, כמו Claude או ChatGPT. האפליקציה מובילה לכאן כדי לקבל אישור.',
  toConnect: 'איך מחברים אפליקציה',
  columns: {
    app: 'אפליקציה',
    used: 'שימוש אחרון',
    requests: '24 השעות האחרונות',
    connected: 'חוברה',
    until: 'סיום',
    ended: 'הסתיים',
    actions: 'פעולות',
  },
  by: 'על ידי',
  places: { web: 'לאתר אינטרנט', computer: 'במחשב', device: 'בקוד של מכשיר' },
  from: 'חוברה מהכתובת',
  stopped: 'נדחית כל עוד האינטגרציה עצורה',
  untilEnded: 'כשמישהו מסיים אותו',
  ended: (number) => `חיבורים שהסתיימו (${count.format(number)})`,
  reasons: {
    ended: 'סוים בדפי הניהול',
    by_app: 'נותק על ידי האפליקציה',
    reused: 'הסתיים מטעמי בטיחות: קוד או אסימון נוצל פעמיים, וייתכן שמישהו העתיק אותו',
    app_disabled: 'המפעיל השבית את האפליקציה',
    person_disabled: 'מי שחיבר את האפליקציה כבר אינו רשאי להיכנס',
    not_allowed: 'המרפאה כבר אינה מתירה את האפליקציה',
    replaced: 'אותו אדם חיבר את האפליקציה שוב',
  },
  rule: {
    title: 'אילו אפליקציות מותר לחבר',
    text: 'המרפאה רשאית להחמיר יותר מהמפעיל. הכלל חל מיד, גם על אפליקציות שכבר חוברו.',
    rules: {
      any: 'כל אפליקציה שהמפעיל מתיר',
      verified: 'רק אפליקציות שהמפעיל אימת',
      none: 'אף אפליקציה',
    },
    endsNone: 'שום חיבור לא יסתיים. הכלל חל מעכשיו על חיבורים חדשים.',
    ends: (number) =>
      `${number === 1 ? 'חיבור אחד יסתיים' : `${count.format(number)} חיבורים יסתיימו`} מיד, ואיתם ה־webhooks של אפליקציות אלה. כלל מקל יותר לא יחזיר אותם: יהיה צורך לחבר את האפליקציות מחדש.`,
    submit: 'קביעת הכלל',
  },
  expired: 'תקופת החיבור נגמרה',
  change: 'שינוי',
  end: 'סיום החיבור',
  back: 'כל האפליקציות המחוברות',
  gone: 'אין חיבור כזה.',
  may: 'מה מותר לה',
  lastRead: 'קריאה אחרונה',
  read: (operation, number, time) =>
    `${operation}: ${number === 1 ? 'רשומה אחת' : `${count.format(number)} רשומות`}, ${time}`,
  limit: 'הגבלה',
  aMinute: (number) => `${count.format(number)} בקשות לדקה`,
  addresses: 'מאיפה, ב־7 הימים האחרונים',
  requests: 'בקשות',
  refused: (number) => `מתוכן ${number} נדחו בגלל הכתובת`,
  noAddresses: 'לא נשלחו בקשות ב־7 הימים האחרונים.',
  activity: 'מה נעשה, ביומן הפעילות',
  ending: {
    title: (app) => `לסיים את החיבור של ${app}?`,
    text: 'מרגע הסיום האפליקציה נדחית, גם באמצע עבודתה, וה־webhooks שלה מסתיימים. כדי להחזיר אותה יש לחבר אותה מחדש.',
    used: (used) => `האפליקציה שלחה ${used} ב־24 השעות האחרונות. בקשות כאלה יידחו.`,
    submit: 'סיום החיבור',
  },
  changing: {
    title: (app) => `שינוי ${app}`,
    text: 'כאן אפשר להסיר הרשאות. כדי להוסיף הרשאות יש לחבר את האפליקציה מחדש. webhook מסתיים יחד עם ההרשאה שהוא צריך.',
    asNow: (end) => `כמו עכשיו: ${end}`,
    submit: 'שמירה',
  },
}
