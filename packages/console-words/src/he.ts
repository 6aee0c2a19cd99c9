// Every word of the console, in Hebrew.
import type { Words } from './en.ts'
import { account } from './he/account.ts'
import { activity } from './he/activity.ts'
import { clinic } from './he/clinic.ts'
import { explore } from './he/explore.ts'
import { keys, mint, revoke, scopes, shown } from './he/keys.ts'
import { refusals } from './he/refusals.ts'
import { signIn } from './he/sign-in.ts'
import { webhooks } from './he/webhooks.ts'

export const he: Words = {
  locale: 'he',
  title: 'ניהול אינטגרציות',
  skip: 'דילוג לתוכן',
  menu: 'תפריט',
  close: 'סגירה',
  cancel: 'חזרה',
  copy: 'העתקה',
  copied: 'הועתק',
  retry: 'ניסיון נוסף',
  loading: 'טוען…',
  language: 'שפה',
  scheme: { label: 'צבעים', auto: 'מערכת', light: 'בהיר', dark: 'כהה' },
  navigation: 'דפי הניהול',
  pages: {
    home: 'דף הבית',
    clinics: 'כל המרפאות',
    integrations: 'אינטגרציות',
    keys: 'מפתחות API',
    connections: 'אפליקציות מחוברות',
    webhooks: 'Webhooks',
    approvals: 'אישורים',
    connect: 'חיבור תוכנה',
    activity: 'פעילות',
    explore: 'נתונים',
    patients: 'מטופלים',
    clinic: 'המרפאה',
    people: 'משתמשים',
    account: 'החשבון שלך',
  },
  notFound: { title: 'הדף לא נמצא', text: 'ייתכן שהכתובת שגויה.' },
  connection: { lost: 'החיבור נותק. מתבצע ניסיון חוזר מדי כמה שניות.', again: 'לנסות עכשיו' },
  problem: {
    unreachable: 'השירות אינו זמין. יש לבדוק את החיבור ולנסות שוב.',
    unexpected: 'אירעה שגיאה לא צפויה בשירות. יש לנסות שוב.',
    reference: (id) => `לפנייה לתמיכה: ${id}`,
    tooMany: (minutes) =>
      minutes <= 1
        ? 'יותר מדי ניסיונות. אפשר לנסות שוב בעוד דקה.'
        : `יותר מדי ניסיונות. אפשר לנסות שוב בעוד ${minutes} דקות.`,
    unshown: 'אי אפשר להציג את הדף. ייתכן שהשירות עודכן: יש לטעון אותו מחדש.',
    refused: 'השירות סירב לבקשה. יש לטעון את הדף מחדש.',
    forbidden: 'התפקיד שלך לא מאפשר את זה. בעלים של המרפאה יכולים לשנות אותו.',
    unconfirmed: 'דבר לא השתנה: לא התקבל אישור שזה באמת החשבון שלך.',
    unapproved: 'נדרש אישור של בעלים או מנהל נוסף. הבקשה מופיעה אצלם בדף „אישורים”. דבר עוד לא השתנה.',
    gone: 'הפריט הזה כבר לא קיים. ייתכן שנמחק.',
  },
  changed: {
    title: 'מישהו אחר שינה את זה בינתיים.',
    now: 'עכשיו זה:',
    again: 'אפשר לשמור שוב כדי להחיל את השינוי שלך על המצב הזה, או לבטל ולהשאיר אותו.',
    closed: 'מישהו אחר שינה את זה בינתיים, ודבר לא נשמר. יש לבדוק מה המצב עכשיו ולבחור שוב.',
  },
  faults: {
    clinic_id: 'יש לכתוב את מזהה המרפאה: אותיות לטיניות, ספרות ומקפים.',
    email: 'יש לכתוב כתובת דוא״ל.',
    name: 'יש לכתוב שם באורך 1 עד 200 תווים.',
    scopes: 'יש לבחור לפחות הרשאה אחת.',
    integration_id: 'האינטגרציה הזאת עצורה. קודם יש לבטל את העצירה, או לבחור אחרת.',
    rate_limit: 'יש לכתוב מספר שלם מ־1 עד 1,000,000.',
    networks: 'יש לכתוב עד 20 כתובות או רשתות, כמו 203.0.113.9 או 203.0.113.0/24, עם פסיקים ביניהן.',
    expires_at: 'יש לבחור מועד בעתיד, ולא מאוחר ממה שהמרפאה מאפשרת.',
    days: 'יש לבחור זמן קצר יותר: המרפאה לא מאפשרת לאפליקציה להישאר מחוברת זמן כזה.',
    password: 'יש לכתוב סיסמה באורך 12 עד 200 תווים.',
    current_password: 'זו אינה הסיסמה הנוכחית.',
    repeated: 'שתי הסיסמאות אינן זהות.',
  },
  forIntegration: {
    which: 'לאיזו אינטגרציה?',
    choose: 'בחירה',
    chooseOne: 'יש לבחור אינטגרציה.',
    own: 'אינטגרציה חדשה',
    newName: 'שם האינטגרציה החדשה',
    taken: 'כבר יש אינטגרציה בשם הזה. אפשר לבחור בה, או לבחור שם אחר.',
  },
  longest: {
    atMost: (days) => `לכל היותר ${days} ימים: כך קבעה המרפאה.`,
  },
  signIn,
  keys,
  mint,
  shown,
  revoke,
  explore,
  clinic,
  activity,
  refusals,
  account,
  scopes,
  webhooks,
}
