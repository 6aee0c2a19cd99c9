// Why a request was refused, in Hebrew.
import type { Words } from '../en.ts'

export const refusals: Words['refusals'] = {
  'invalid-request': 'בקשה שגויה',
  unauthorized: 'אין מפתח תקף',
  forbidden: 'לא מורשה',
  'address-not-allowed': 'מכתובת אחרת',
  'not-found': 'לא נמצא',
  'method-not-allowed': 'פעולה שגויה',
  'request-timeout': 'הגיעה לאט מדי',
  conflict: 'סותר את המצב הקיים',
  'link-expired': 'תוקף הקישור פג',
  'content-too-large': 'גדול מדי',
  'uri-too-long': 'כתובת ארוכה מדי',
  'unsupported-media-type': 'לא JSON',
  'range-not-satisfiable': 'מעבר לסוף הקובץ',
  'expectation-failed': 'ציפייה לא מוכרת',
  unprocessable: 'נוגד כלל',
  'idempotency-key-reused': 'חזרה עם תוכן אחר',
  'rate-limited': 'יותר מדי בקשות',
  'header-fields-too-large': 'כותרות גדולות מדי',
  'internal-error': 'שגיאה לא צפויה',
  'upstream-error': 'אין תשובה שמישה',
  'service-unavailable': 'לא זמין',
}
