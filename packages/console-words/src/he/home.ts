// The words of the home page and of alerts, in Hebrew.
import type { alerts as EnAlerts, home as EnHome } from '../en/home.ts'

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
    columns: { name: 'אינטגרציה', patients: 'אנשים' },
    none: 'היום עדיין לא נקראו נתונים של אף אדם.',
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

export const alerts: typeof EnAlerts = {
  title: 'שימוש חריג',
  text: 'מה שמפתח או אפליקציה מחוברת עשו אחרת מאי פעם. כדאי לבדוק אם זה מכוון: מה שנבדק נחשב רגיל. העצירה נמצאת בעמוד האינטגרציה.',
  none: 'לא זוהה שום דבר חריג.',
  all: 'כל ההתראות',
  more: (number) => (number === 1 ? 'ועוד אחת' : `ועוד ${count.format(number)}`),
  rules: {
    silence: 'שימוש אחרי שתיקה ארוכה',
    new_network: 'מרשת חדשה',
    many_patients: 'הרבה יותר אנשים מאי פעם',
    patients_in_order: 'אנשים לפי סדר המזהים',
    many_refusals: 'בקשות רבות נדחו',
    ended_key: 'ניסיון אחרי ביטול',
    stopped_partner: 'ניסיון אחרי עצירה',
  },
  today: 'היום',
  on: (day) => `ב־${day}`,
  reasons: {
    silence: (who, when, { days, last_day }) =>
      `${who}: שימוש ${when}, אחרי ${counted(days, 'יום אחד', 'ימים')} של שתיקה. השימוש הקודם היה ב־${last_day}.`,
    new_network: (who, when, { network, known }) =>
      `${who}: שימוש ${when} מהרשת ${network}. ${known === 0 ? 'לא מוכרת שום רשת אחרת.' : `עד אז הגיעו הבקשות מ${known === 1 ? 'רשת אחרת' : `־${count.format(known)} רשתות אחרות`}, ואף פעם לא משם.`}`,
    many_patients: (who, when, { patients, busiest, busiest_day }) =>
      `${who}: ${counted(patients, 'נקרא אדם אחד', 'אנשים נקראו')} ${when}; ביום העמוס ביותר עד אז: ${count.format(busiest)}${busiest_day === null ? '' : `, ב־${busiest_day}`}.`,
    patients_in_order: (who, when, { patients, longest_before }) =>
      `${who}: ${counted(patients, 'נקרא אדם אחד', 'אנשים נקראו')} ${when} בזה אחר זה, לפי סדר המזהים; הרצף הארוך ביותר עד אז: ${count.format(longest_before)}.`,
    many_refusals: (who, when, { refusals, requests, most, most_day }) =>
      `${who}: ${count.format(refusals)} מתוך ${counted(requests, 'בקשה אחת', 'בקשות')} נדחו ${when}; הכי הרבה ביום אחד עד אז: ${count.format(most)}${most_day === null ? '' : `, ב־${most_day}`}.`,
    ended_key: (who, _, { ended_at, tried_at }) =>
      `${who}: הגישה בוטלה ב־${ended_at}, ועדיין היה ניסיון ב־${tried_at}. הוא נדחה.`,
    stopped_partner: (who, _, { ended_at, tried_at }) =>
      `${who}: האינטגרציה נעצרה ב־${ended_at}, ועדיין היה ניסיון ב־${tried_at}. הוא נדחה.`,
  },
  state: { unseen: 'חדש', seen: 'נבדק' },
  key: { key: 'מפתח API', connection: 'אפליקציה מחוברת', token: 'טוקן של מערכות המרפאה' },
  integration: 'אינטגרציה',
  stop: 'העצירה נמצאת בעמוד שלה.',
  older: 'להציג התראות ישנות יותר',
  day: 'יום',
  noticed: (time) => `זוהה ב־${time}`,
  seen: 'נבדק על ידי',
  see: 'בדקתי את זה',
  seeOf: (what) => `בדקתי את זה: ${what}`,
  activity: 'מה נעשה באותו יום',
  before: 'מה נעשה קודם',
  stopped: 'נעצרה בידי הכלל הזה',
  undone: 'אפשר לבטל את העצירה בעמוד האינטגרציה.',
  stops: {
    title: 'עצירה מיידית',
    text: 'כלל יכול לעצור את מה שעליו הוא מתריע: כל המפתחות, האפליקציות המחוברות וה־webhooks של אותה אינטגרציה נדחים בתוך שניות, עד שמישהו יבטל את העצירה בעמוד שלה. ההתראה והדואר אומרים זאת. הבעלים בוחרים אילו כללים רשאים. שאר הכללים רק מתריעים.',
    number: (rules) => (rules === 0 ? 'אף כלל' : counted(rules, 'כלל אחד', 'כללים')),
    by: (time, name) => `מאז ${time}, לפי בחירה של \u2068${name}\u2069`,
    onlyTells: 'הכלל רק מתריע.',
    on: (rule) => `לתת לכלל לעצור אינטגרציות: ${rule}`,
    onText:
      'מעכשיו הכלל עוצר את האינטגרציה של כל מפתח שעליו הוא מתריע. אם השימוש היה מכוון, השותף לא יוכל לעבוד עד שמישהו יבטל את העצירה. מה שמישהו ביטל את עצירתו לא ייעצר שוב בגלל שימוש של אותו יום.',
    onSubmit: 'לתת לו לעצור',
    off: (rule) => `הכלל רק יתריע: ${rule}`,
    offText: 'מה שעליו הוא מתריע ימשיך עד שמישהו יעצור אותו. מה שכבר נעצר יישאר עצור.',
    offSubmit: 'רק להתריע',
  },
}
