// The words of the export of the activity, in Hebrew.
import type { activityExport as en } from './en.ts'

const count = new Intl.NumberFormat('he')
const rows = (number: number) => (number === 1 ? 'שורה אחת' : `${count.format(number)} שורות`)

export const activityExport: typeof en = {
  open: 'ייצוא…',
  title: 'ייצוא מה שהמסננים מציגים',
  text: 'כל השורות שמתאימות למסננים, לא רק אלה שבעמוד. הייצוא עצמו נרשם בפעילות, עם השם שלך ועם המסננים האלה.',
  as: 'בתור',
  kinds: {
    rows: {
      name: 'טבלה לגיליון אלקטרוני (CSV)',
      text: 'עם שמות האנשים, המפתחות והפעולות כפי שהעמוד הזה מציג אותם.',
    },
    proof: {
      name: 'קובץ עם הוכחה (NDJSON)',
      text: 'למי שצריך לדעת בוודאות שדבר לא שונה. היומן נחתם בקטעים, ולכן הקובץ מכיל את כל השורות של כל קטע שבו מתאימה שורה אחת, גם של מטופלים אחרים, וחתימות שמובילות משם עד היום. „\u2066clinicd audit verify --file\u2069” בודק אותו ואומר אילו שורות מתאימות. שורות משלוש הדקות האחרונות עוד לא נחתמו.',
    },
  },
  personal: 'הקובץ מזכיר מטופלים לפי המזהים שלהם. יש לשמור עליו כמו על היומן.',
  start: 'ייצוא',
  underWay: (megabytes: number) => `הגיעו ${megabytes.toFixed(1)} מ״ב…`,
  begun: 'מחפשים את השורות…',
  savedRows: (number: number, name: string) => `${rows(number)} נשמרו בקובץ ${name}.`,
  savedProof: (name: string) => `נשמר בשם ${name}.`,
  cut: 'הייצוא נקטע ודבר לא נשמר. יש לייצא שוב.',
  busy: 'ייצוא אחר של המרפאה עדיין מתבצע. יש להמתין לסיומו ולייצא שוב.',
  tooMuch: {
    too_many_rows: 'אלה יותר שורות ממה שייצוא אחד יכול להכיל. יש לבחור תקופה קצרה יותר או מסננים צרים יותר.',
    search_too_long: 'החיפוש ארוך מדי לייצוא. יש לבחור תקופה קצרה יותר או מסננים צרים יותר.',
    too_many_seals:
      'השורה הראשונה ישנה מדי בשביל קובץ עם הוכחה. יש לבחור יום התחלה מאוחר יותר, או לבקש ממי שמפעיל את השירות לייצא את היומן.',
  },
  columns: {
    at: 'מתי',
    who: 'מי',
    whoId: 'המזהה של מי',
    what: 'מה',
    surface: 'דרך',
    outcome: 'תוצאה',
    why: 'מדוע',
    count: 'מספר הרשומות',
    records: 'מזהי הרשומות',
    patientCount: 'מספר המטופלים',
    patients: 'מזהי המטופלים',
    operation: 'הפעולה',
    status: 'סטטוס',
    scope: 'ההרשאה החסרה',
    address: 'כתובת',
    request: 'מזהה הבקשה',
    duration: 'אלפיות שנייה',
    row: 'השורה ביומן',
  },
  end: (number: number) => `סוף: ${rows(number)}`,
}
