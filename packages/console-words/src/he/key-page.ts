// The words of a key's own page, in Hebrew.
import type { keyPage as EnKeyPage } from '../en/key-page.ts'

const count = new Intl.NumberFormat('he')

export const keyPage: typeof EnKeyPage = {
  back: 'כל מפתחות ה־API',
  gone: 'אין מפתח כזה.',
  integration: 'אינטגרציה',
  key: 'מפתח',
  made: 'נוצר',
  until: 'בתוקף עד',
  untilRevoked: 'עד שמישהו מבטל אותו',
  revoked: 'בוטל',
  expired: 'פג תוקף',
  used: 'שימוש אחרון',
  requests: '24 השעות האחרונות',
  limit: 'הגבלה',
  usualLimit: 'ההגבלה הרגילה של המרפאה',
  aMinute: (number) => `${count.format(number)} בקשות לדקה`,
  networks: 'עובד מ־',
  anywhere: 'כל מקום',
  may: 'מה מותר לו',
  webhooks: 'webhooks שהמפתח יצר',
  noWebhooks: 'המפתח לא יצר webhooks.',
  activity: 'מה נעשה, ביומן הפעילות',
  change: 'שינוי',
  leaked: {
    title: 'המפתח דלף?',
    revoke: 'לבטל אותו עכשיו. מרגע הביטול הוא נדחה בכל מקום:',
    look: 'לבדוק מה נעשה בו, ומאיפה:',
    again: 'לתת לשותף מפתח חדש עם אותן הרשאות:',
    newKey: 'מפתח חדש',
    stop: 'אם אין עוד אמון בשותף, לעצור את האינטגרציה כולה:',
  },
  changing: {
    title: (name) => `שינוי ${name}`,
    text: 'המפתח עצמו וההרשאות שלו נשארים כמו שהם. להרשאות אחרות יש ליצור מפתח אחר.',
    name: 'שם',
    until: 'בתוקף עד',
    asNow: (until) => `כמו עכשיו: ${until}`,
    rate: 'בקשות לדקה',
    rateHint: 'ריק: כרגיל',
    networks: 'רק מהכתובות האלה',
    networksHint: 'ריק: מכל מקום. למשל 203.0.113.9 או 203.0.113.0/24, עם פסיקים ביניהן.',
    submit: 'שמירה',
    revoked: 'המפתח בוטל בינתיים, ואי אפשר לשנות אותו עוד.',
  },
}
