// The names of the demo clinic's people: common Hebrew and English names, combined at random.

export type Script = 'hebrew' | 'english'
export type Gender = 'male' | 'female'

export const FIRST_NAMES: Record<Script, Record<Gender, readonly string[]>> = {
  hebrew: {
    male: [
      ...['נועם', 'איתי', 'יוסף', 'דוד', 'אורי', 'יונתן', 'משה', 'עידו', 'אביב', 'עומר', 'אריאל', 'יהודה', 'מיכאל'],
      ...['אלון', 'גיא', 'רועי', 'שחר', 'תומר', 'ברק', 'אסף', 'ניר', 'עמית', 'יאיר', 'רון', 'שי', 'חיים', 'אהרון'],
    ],
    female: [
      ...['נועה', 'תמר', 'מאיה', 'שירה', 'יעל', 'אביגיל', 'רוני', 'טליה', 'מיכל', 'הילה', 'ליאור', 'רבקה', 'אסתר'],
      ...['דנה', 'עדי', 'ענת', 'גלית', 'אורלי', 'שרון', 'רחל', 'לאה', 'מרים', 'חנה', 'ענבל', 'קרן', 'סיגל', 'נטע'],
    ],
  },
  english: {
    male: [
      ...['Adam', 'Ben', 'Daniel', 'David', 'Eitan', 'Gabriel', 'Ilan', 'Jacob', 'Jonathan', 'Karim', 'Leo', 'Mark'],
      ...['Michael', 'Nadav', 'Omar', 'Oren', 'Paul', 'Rami', 'Samuel', 'Sergei', 'Simon', 'Tal', 'Thomas', 'Yaron'],
    ],
    female: [
      ...['Ada', 'Anna', 'Clara', 'Dana', 'Ella', 'Emma', 'Galit', 'Hana', 'Irena', 'Julia', 'Keren', 'Lea', 'Maya'],
      ...[
        'Mira',
        'Naama',
        'Nina',
        'Olga',
        'Rachel',
        'Rita',
        'Rona',
        'Samira',
        'Sarah',
        'Shira',
        'Tamar',
        'Vera',
        'Zoë',
      ],
    ],
  },
}

export const LAST_NAMES: Record<Script, readonly string[]> = {
  hebrew: [
    ...['כהן', 'לוי', 'מזרחי', 'פרץ', 'ביטון', 'דהן', 'אברהם', 'פרידמן', 'מלכה', 'אזולאי', 'כץ', 'יוסף', 'דוד'],
    ...['עמר', 'אוחיון', 'חדד', 'גבאי', 'בן-דוד', 'אדרי', 'שפירא', 'רוזנברג', 'גולן', 'בר-לב', 'אשכנזי', 'סגל'],
    ...['ברק', "צ'רניחובסקי", 'נחום', 'שלום', 'הררי', 'אלמוג', 'וקנין', 'בן-שושן', 'טל', 'רז', 'ששון', 'נבון'],
  ],
  english: [
    ...['Adler', 'Amar', 'Bar-Lev', 'Ben-Ami', 'Cohen', 'Dahan', 'Dayan', 'Elbaz', 'Fischer', 'Friedman', 'Gold'],
    ...['Green', 'Haddad', 'Harari', 'Ivanov', 'Katz', 'Khoury', 'Klein', 'Levi', 'Levin', 'Mansour', 'Miller'],
    ...['Mizrahi', 'Navon', "O'Brien", 'Peretz', 'Petrov', 'Rosen', 'Sasson', 'Segal', 'Shapiro', 'Stern', 'Weiss'],
  ],
}

export const CITIES = [
  { city: 'Haifa', street: 'Herzl', postal: 31 },
  { city: 'Tel Aviv', street: 'Dizengoff', postal: 64 },
  { city: 'Jerusalem', street: 'Jaffa', postal: 94 },
  { city: 'נשר', street: 'דרך השלום', postal: 36 },
  { city: 'רמת גן', street: 'ביאליק', postal: 52 },
  { city: 'מבשרת ציון', street: 'החוצבים', postal: 90 },
  { city: 'Kiryat Ata', street: 'HaAtzmaut', postal: 28 },
  { city: 'גבעתיים', street: 'כצנלסון', postal: 53 },
  { city: 'Netanya', street: 'Weizmann', postal: 42 },
] as const
