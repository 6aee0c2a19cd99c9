// The words of the integrations, in Hebrew.
import type { integrations as EnIntegrations } from '../en/integrations.ts'

const count = new Intl.NumberFormat('he')
const counted = (number: number, one: string, many: string) => (number === 1 ? one : `${count.format(number)} ${many}`)
const keys = (number: number) => counted(number, 'מפתח אחד', 'מפתחות')
const apps = (number: number) => counted(number, 'אפליקציה מחוברת אחת', 'אפליקציות מחוברות')
const webhooks = (number: number) => counted(number, 'webhook אחד', 'webhooks')
const all = (...parts: readonly (readonly [number: number, text: (number: number) => string])[]) =>
  parts.flatMap(([number, text]) => (number > 0 ? [text(number)] : []))
const list = new Intl.ListFormat('he', { type: 'conjunction' })

export const integrations: typeof EnIntegrations = {
  title: 'אינטגרציות',
  text: 'אחת לכל שותף: המפתחות שלו, האפליקציות המחוברות וה־webhooks. אפשר לעצור הכול יחד.',
  add: 'אינטגרציה חדשה',
  empty: 'עדיין אין אינטגרציות',
  emptyText: 'לשותף נוצרת אינטגרציה עם המפתח, האפליקציה או ה־webhook הראשון.',
  back: 'כל האינטגרציות',
  gone: 'אין אינטגרציה כזאת.',
  find: 'חיפוש לפי שם',
  partOf: 'אינטגרציה:',
  columns: {
    name: 'אינטגרציה',
    state: 'מצב',
    used: 'שימוש אחרון',
    patients: 'אנשים שנקראו היום',
    webhooks: 'Webhooks',
    holds: 'מפתחות ואפליקציות',
  },
  never: 'אף פעם',
  none: 'אין',
  number: (number) => count.format(number),
  holds: (key_count, connection_count) => list.format(all([key_count, keys], [connection_count, apps])) || 'אין',
  webhooksOf: (number, failing) =>
    failing === 0 ? webhooks(number) : `${webhooks(number)}, נכשלים: ${count.format(failing)}`,
  state: {
    active: 'פעילה',
    failing: 'webhook נכשל',
    stopped: 'נעצרה',
    unused: 'עדיין לא בשימוש',
    ended: 'כבר לא פועלת',
  },
  stopped: (time) => `נעצרה ${time}`,
  stoppedBy: (time, by) => `נעצרה ${time} על ידי \u2068${by}\u2069`,
  stoppedByRule: (time) => `נעצרה ${time} בידי כלל של המעקב`,
  itsAlert: 'על מה הכלל התריע',
  stoppedText: 'המפתחות והאפליקציות המחוברות שלה נדחים. ה־webhooks שלה אינם שולחים דבר.',
  contact: 'למי מתקשרים',
  noContact: 'עדיין לא נרשם איש קשר.',
  notes: 'הערות',
  since: 'קיימת מאז',
  change: 'שינוי',
  stop: 'עצירה',
  resume: 'ביטול העצירה',
  more: 'עוד',
  may: {
    title: 'מה מותר לה',
    text: 'כל המפתחות, האפליקציות המחוברות וה־webhooks שלה יחד.',
    whileStopped: 'כל עוד היא עצורה לא מותר לה דבר. זה מה שיהיה מותר לה אחרי ביטול העצירה.',
    columns: { resource: 'נתונים', access: 'מותר לה' },
    none: 'כלום',
    read: 'לקרוא',
    write: 'לשנות',
    writes: {
      payments: 'לרשום חדשים',
      leads: 'להוסיף חדשים',
      chat: 'לשלוח הודעות',
      webhooks: 'ליצור, לשנות ולקרוא',
    },
    only: (changes) => `${changes}, בלי לקרוא`,
    sent: 'לקבל רשומות שלמות ב־webhook',
    maySubscribe: 'ליצור webhook ולקבל בו רשומות שלמות',
    leadFigures: 'יחד עם ”סיכומים“ היא רואה גם כמה לידים יש.',
  },
  resources: {
    patients: 'מטופלים',
    appointments: 'תורים',
    availability: 'תורים פנויים',
    treatments: 'טיפולים',
    payments: 'תשלומים',
    leads: 'לידים',
    calls: 'שיחות',
    chat: 'צ׳אט',
    catalog: 'רשימות המרפאה',
    analytics: 'סיכומים',
    webhooks: 'Webhooks',
  },
  did: {
    title: 'מה היא עשתה',
    figure: 'נתון',
    today: 'היום',
    month: '30 יום',
    figures: {
      patients_read: 'אנשים שנקראו',
      requests: 'בקשות',
      changes: 'שינויים',
      refusals: 'בקשות שנדחו',
      delivered: 'משלוחים שהגיעו',
      failed_attempts: 'ניסיונות משלוח שנכשלו',
    },
    busiest: 'הדקה העמוסה ביותר',
    ofLimit: (most, limit) => `${count.format(most)} מתוך ${count.format(limit)} המותרות`,
    activity: 'כל מה שנעשה, ביומן הפעילות',
  },
  ways: {
    title: 'מפתחות ואפליקציות מחוברות',
    none: 'אין לה מפתח או אפליקציה מחוברת.',
    columns: { name: 'שם', kind: 'סוג', used: 'שימוש אחרון', until: 'עד', limit: 'הגבלה', actions: 'פעולות' },
    key: 'מפתח',
    app: 'אפליקציה מחוברת',
    newKey: 'מפתח חדש',
    untilEnded: 'שמישהו יבטל',
    usualLimit: 'הרגילה',
    stopped: 'בעצירה',
    aMinute: (number) => `${count.format(number)} לדקה`,
    ended: (number) => `הסתיימו (${count.format(number)})`,
  },
  hooks: {
    title: 'Webhooks',
    none: 'אין לה webhooks.',
    stopped: 'דבר אינו נשלח כל עוד האינטגרציה עצורה.',
    only: 'רק האירועים האלה נשלחים:',
    failures: 'מה נכשל, ולמה',
    deliveries: 'כל המשלוחים',
  },
  making: {
    stopped: 'האינטגרציה הזאת עצורה. קודם יש לבטל את העצירה.',
    title: 'אינטגרציה חדשה',
    text: 'כאן נוצר המפתח הראשון שלה. אפשר להוסיף אחר כך מפתחות ו־webhooks.',
    appText: 'אפליקציה שמתחברת בדפדפן אינה צריכה מפתח:',
    toConnect: 'חיבור אפליקציה',
    nameHint: 'השותף, לדוגמה: CRM או סוכנות האתר',
  },
  changing: {
    title: (name) => `שינוי ${name}`,
    name: 'שם',
    contact: 'למי מתקשרים',
    contactHint: 'שם, טלפון, דוא״ל',
    notes: 'הערות',
    notesHint: 'לשם מה היא, ומה סוכם',
    submit: 'שמירה',
  },
  stopping: {
    title: (name) => `לעצור את ${name}?`,
    text: 'מרגע זה, גם באמצע עבודה:',
    parts: (key_count, connection_count, webhook_count) => [
      ...(key_count + connection_count > 0
        ? [`נדחים: ${list.format(all([key_count, keys], [connection_count, apps]))}`]
        : []),
      ...(webhook_count > 0 ? [`לא נשלח דבר אל ${webhooks(webhook_count)}`] : []),
    ],
    nothing: 'אין לה כרגע דבר שפועל, וכך זה יישאר עד לביטול העצירה.',
    undone: 'לחיצה אחת מבטלת את העצירה.',
    submit: 'לעצור עכשיו',
  },
  done: {
    stopped: ({ keys: key_count, connections, webhooks: webhook_count, waiting }) =>
      [
        `נדחים: ${list.format(all([key_count, keys], [connections, apps])) || 'כלום'}.`,
        `הושהו: ${webhook_count === 0 ? 'כלום' : webhooks(webhook_count)}.`,
        ...(waiting > 0 ? [counted(waiting, 'משלוח אחד ממתין לביטול העצירה.', 'משלוחים ממתינים לביטול העצירה.')] : []),
      ].join(' '),
    resumed: ({ keys: key_count, connections, webhooks: webhook_count, waiting, expired }) =>
      [
        'היא פועלת שוב כמו לפני העצירה.',
        `חזרו לפעול: ${list.format(all([key_count, keys], [connections, apps], [webhook_count, webhooks])) || 'כלום'}.`,
        ...(waiting > 0 ? [counted(waiting, 'משלוח אחד שהמתין נשלח.', 'משלוחים שהמתינו נשלחים.')] : []),
        ...(expired > 0
          ? [
              counted(
                expired,
                'הזמן של משלוח אחד נגמר בינתיים. אפשר לשלוח אותו שוב מהדף של ה־webhook.',
                'משלוחים שזמנם נגמר בינתיים. אפשר לשלוח אותם שוב מהדף של ה־webhook.',
              ),
            ]
          : []),
      ].join(' '),
  },
  moving: {
    action: 'העברה לאינטגרציה אחרת',
    title: (what) => `העברת \u2068${what}\u2069`,
    text: 'מעכשיו זה שייך לאינטגרציה שנבחרה, ונעצר יחד איתה. מה שמותר אינו משתנה.',
    to: 'לאיזו אינטגרציה?',
    own: 'אינטגרציה חדשה',
    newName: 'שם האינטגרציה החדשה',
    submit: 'העברה',
    chooseOne: 'יש לבחור אינטגרציה.',
    stopped: 'אחת מהשתיים עצורה. קודם יש לבטל את העצירה.',
  },
  joining: {
    action: 'מיזוג עם אינטגרציה אחרת',
    title: (name) => `מיזוג אינטגרציה אחרת אל ${name}`,
    text: 'כל המפתחות, האפליקציות המחוברות וה־webhooks של האחרת עוברים לכאן, וגם מה שנרשם עליה. מה שמותר להם אינו משתנה.',
    stopped: 'אחת מהשתיים עצורה. אחרי המיזוג שתיהן עצורות, עד לביטול העצירה.',
    which: 'איזו?',
    choose: 'בחירה',
    submit: 'מיזוג',
    twins: (name) => `יותר מאינטגרציה אחת נקראת \u2068${name}\u2069`,
    twinsText: 'עצירה עוצרת את כולן. אפשר למזג אותן, או לתת לאחת מהן שם אחר.',
  },
}
