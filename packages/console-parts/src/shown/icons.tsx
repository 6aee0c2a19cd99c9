// The few icons, drawn as lines in the colour of their text. Each stands beside words or in a named button.
import type { ReactNode } from 'react'

function drawn(lines: ReactNode) {
  return function Icon({ size = 18 }: { size?: number }) {
    return (
      <svg
        aria-hidden="true"
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {lines}
      </svg>
    )
  }
}

export const HomeIcon = drawn(<path d="M4 5h7v8H4zM13 5h7v4h-7zM13 12h7v7h-7zM4 16h7v3H4z" />)
export const PartnersIcon = drawn(<path d="M4 4h7v7H4zM13 13h7v7h-7zM11 7.5h5.5V13M13 16.5H7.5V11" />)
export const KeyIcon = drawn(
  <path d="M14.5 9.5a5 5 0 1 0-3.6 4.8L13 16.5h2.5V19H18v2h3v-3.5l-6.9-6.9a5 5 0 0 0 .4-1.1zM8.5 8.2v.1" />,
)
export const ActivityIcon = drawn(<path d="M3 12h4l3-8 4 16 3-8h4" />)
export const DownIcon = drawn(<path d="m6 9 6 6 6-6" />)
export const PlugIcon = drawn(<path d="M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4" />)
export const LinkIcon = drawn(
  <path d="M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1" />,
)
export const PersonIcon = drawn(<path d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0" />)
export const PeopleIcon = drawn(
  <path d="M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19.5a6.5 6.5 0 0 1 13 0M16 4.9a3.5 3.5 0 0 1 0 6.2M18.5 14.2a6.5 6.5 0 0 1 3 5.3" />,
)
export const ChartIcon = drawn(<path d="M4 20h16M7 16v-5M12 16V5M17 16v-8" />)
export const DownloadIcon = drawn(<path d="M12 4v11M7.5 11 12 15.5 16.5 11M5 20h14" />)
export const RecordIcon = drawn(
  <path d="M6 3.5h8l4 4v13H6zM12 13.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8.8 17.5a3.3 3.3 0 0 1 6.4 0" />,
)
export const HouseIcon = drawn(<path d="M4 11 12 4l8 7v9h-5.5v-5h-5v5H4z" />)
export const HousesIcon = drawn(<path d="M2.5 13 9 7l6.5 6M4 12v8h10v-8M12.5 8 17 4l5 4.5V20h-4.5" />)
export const ApprovalIcon = drawn(<path d="m4 13 4 4L17 8M12 15.5 13.5 17 22 8" />)
export const CrossIcon = drawn(<path d="M6 6l12 12M18 6 6 18" />)
export const DotsIcon = drawn(<path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="2.6" />)
export const WebhookIcon = drawn(<path d="M3.5 12h12m0 0-4.5-4.5M15.5 12 11 16.5M20.5 5v14" />)
export const PlusIcon = drawn(<path d="M12 5v14M5 12h14" />)
export const RefreshIcon = drawn(<path d="M20 11a8 8 0 1 0-2.3 6.3M20 4v7h-7" />)
export const CopyIcon = drawn(<path d="M9 9h11v11H9zM5 15H4V4h11v1" />)
export const DoneIcon = drawn(<path d="m5 12.5 4.5 4.5L19 7.5" />)
