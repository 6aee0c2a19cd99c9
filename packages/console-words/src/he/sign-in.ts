// The words of signing in, in Hebrew.
import type { Words } from '../en.ts'

export const signIn: Words['signIn'] = {
  title: 'כניסה',
  text: 'הגדרות המרפאה לאינטגרציות.',
  clinic: 'מרפאה',
  clinicHint: 'המזהה שלה, לדוגמה springfield',
  email: 'דוא״ל',
  password: 'סיסמה',
  submit: 'כניסה',
  byPasskey: 'כניסה עם מפתח גישה',
  orPassword: 'או עם סיסמה',
  passkeyRefused: 'מפתח הגישה הזה לא פותח את המערכת. ייתכן שהוא הוסר.',
  passkeyStopped: 'לא נבחר מפתח גישה. אפשר לנסות שוב, או להיכנס עם סיסמה.',
  openid: {
    submit: (provider) => `כניסה עם ${provider}`,
    refused: (provider) =>
      `החשבון שלך ב־${provider} לא פותח את המערכת של המרפאה הזאת. כדאי לבדוק את המרפאה או לפנות למפעיל השירות.`,
    stopped: (provider) => `הכניסה עם ${provider} לא הושלמה. אפשר לנסות שוב.`,
    unreachable: (provider) => `אין כרגע גישה אל ${provider}. אפשר לנסות שוב, או להיכנס בדרך אחרת.`,
  },
  refused: 'המרפאה, הדוא״ל והסיסמה אינם תואמים.',
  linkRefused: 'קישור הכניסה פג או כבר נוצל. יש לבקש קישור חדש, או להיכנס בדרך אחרת.',
  looking: 'הקישור נבדק…',
  byLink: 'הקישור הזה פותח את המערכת של מרפאה בשם:',
  notMine: 'זה לא השם שלך? אפשר לסגור את הדף: הקישור לא ינוצל.',
  ended: 'החיבור שלך הסתיים. אחרי כניסה אפשר להמשיך מאותו מקום.',
  pairing: {
    title: 'הוספת מרפאה',
    text: 'צריך להיכנס למרפאה השנייה כמו תמיד. יש לך עשר דקות.',
    cancel: 'בלי להוסיף מרפאה',
  },
  without: 'עדיין אין לך סיסמה? מפעיל השירות יכול להכין לך קישור כניסה.',
}
