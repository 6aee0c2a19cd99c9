// The roles of people, with a sentence for each that says what it may do, and the words of a page that is not open to a role, in Hebrew.
import type { forbidden as EnForbidden, roles as EnRoles } from '../en/roles.ts'

export const roles: typeof EnRoles = {
  owner: ['בעלים', 'הכול, וגם לקבוע למי יש גישה.'],
  administrator: ['ניהול', 'הכול, חוץ מלקבוע למי יש גישה.'],
  developer: [
    'פיתוח',
    'מעקב אחר webhooks ותיקונם: בדיקה, שליחה חוזרת והחלפת סודות. בלי לקבוע לאן הם שולחים, ובלי לראות נתוני מטופלים.',
  ],
  auditor: ['ביקורת', 'צפייה בפעילות: מי קרא ומי שינה, ואת הנתונים של מי. בלי לשנות דבר.'],
  member: ['צוות', 'חיבור אפליקציות, עם ההרשאות שהמרפאה מתירה לצוות. רואים רק את האפליקציות האלה.'],
}

export const forbidden: typeof EnForbidden = {
  title: 'הדף הזה לא פתוח לך',
  may: (page, roles) => `הדף „${page}” פתוח לתפקיד: ${roles}.`,
  yours: (role) => `התפקיד שלך: ${role}. בעלים של המרפאה יכולים לשנות אותו.`,
}
