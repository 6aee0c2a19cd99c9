// The words of a person who works in several clinics, in Hebrew.
import type { pairings as EnPairings } from '../en/pairings.ts'

export const pairings: typeof EnPairings = {
  title: 'המרפאות הנוספות שלך',
  text: 'מי שעובד בכמה מרפאות יכול לפתוח את כולן בכניסה אחת. לכל מרפאה נכנסים פעם אחת, כאן בדפדפן הזה.',
  none: 'עדיין לא הוספת מרפאה נוספת.',
  add: 'הוספת מרפאה',
  change: 'מעבר למרפאה אחרת',
  signInThere: 'נדרשת כניסה שם',
  end: 'סיום',
  endOf: (clinic) => `סיום הכניסה המשותפת עם \u2068${clinic}\u2069`,
  ending: {
    title: (clinic) => `לסיים את הכניסה המשותפת עם \u2068${clinic}\u2069?`,
    text: (here, there) =>
      `כניסה אל \u2068${here}\u2069 כבר לא תפתח את \u2068${there}\u2069, וגם לא להפך. שני החשבונות נשארים.`,
    submit: 'סיום',
  },
  offered: {
    title: (there, here) => `כניסה אחת אל \u2068${there}\u2069 ואל \u2068${here}\u2069?`,
    text: (email, there, here) =>
      `מעתה, מי שנכנס אל \u2068${there}\u2069 בחשבון \u2066${email}\u2069 פותח גם את \u2068${here}\u2069 בשמך, ולהפך.`,
    proof: 'כל פעולה שנותנת גישה למישהו עדיין דורשת את הסיסמה או את מפתח הגישה של המרפאה עצמה.',
    onlyYours: 'יש להסכים רק אם שני החשבונות שלך.',
    submit: 'הסכמה',
    refuse: 'לא עכשיו',
    late: 'הזמן לכך עבר, או שיצאת מהמרפאה השנייה. צריך להתחיל שוב במרפאה השנייה.',
    done: 'בוצע. עוברים בין המרפאות דרך שם המרפאה, בראש התפריט.',
    close: 'סגירה',
  },
  clinics: {
    title: 'כל המרפאות',
    text: 'השותפים בכל המרפאות שלך, זה לצד זה.',
    none: 'באף אחת מהמרפאות שלך אין עדיין אינטגרציה.',
    find: 'חיפוש לפי שם',
    closed: (clinic) => `לא מוצג כאן: \u2068${clinic}\u2069. כדי לראות את האינטגרציות צריך להיכנס שם.`,
    notYours: (clinic) => `לא מוצג כאן: \u2068${clinic}\u2069. התפקיד שלך שם לא מציג אינטגרציות.`,
    columns: {
      clinic: 'מרפאה',
      state: 'מצב',
      used: 'שימוש אחרון',
      patients: 'מטופלים שנקראו היום',
    },
    open: (partner, clinic) => `פתיחת \u2068${partner}\u2069 במרפאה \u2068${clinic}\u2069`,
    stop: 'עצירה בכל המרפאות',
    stopOf: (partner) => `עצירה בכל המרפאות: \u2068${partner}\u2069`,
  },
  stopping: {
    title: (partner) => `לעצור את \u2068${partner}\u2069 בכל המרפאות?`,
    text: 'המפתחות והאפליקציות המחוברות יידחו, וה־webhooks לא ישלחו דבר, במרפאות:',
    notYours: (clinic) => `לא במרפאה \u2068${clinic}\u2069: התפקיד שלך שם לא מאפשר זאת.`,
    undone: 'אפשר לבטל את העצירה בכל מרפאה בנפרד, בדף האינטגרציה שלה.',
    submit: 'עצירה בכל המרפאות',
    stopped: (clinic) => `נעצרה במרפאה \u2068${clinic}\u2069.`,
    failed: (clinic) => `לא נעצרה במרפאה \u2068${clinic}\u2069:`,
    close: 'סגירה',
  },
}
