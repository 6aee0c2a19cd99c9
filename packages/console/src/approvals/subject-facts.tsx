// A request for approval field by field, with how it is now where it changes something.

import type { Approval } from '@clinic-data/console-parts/api'
import { Fact } from '@clinic-data/console-parts/shown/fact'
import { useTimes } from '@clinic-data/console-parts/times'
import { useAppWords } from '@clinic-data/console-words/app-words'
import { useApprovalWords } from '@clinic-data/console-words/approval-words'
import { useRoleWords } from '@clinic-data/console-words/role-words'
import { Text } from '@mantine/core'
import { ScopeList } from '../keys/scope-text.tsx'
import { type Subject, subjectOf } from './requested.ts'

type Field = keyof ReturnType<typeof useApprovalWords>['fields']

/** In the order in which they are read. */
const FIELDS = [
  'new_name',
  'app',
  'url',
  'email',
  'role',
  'event_types',
  'enabled',
  'expires_at',
  'days',
  'rate_limit',
  'networks',
  'include_doubtful',
] as const satisfies readonly Field[]

export function SubjectFacts({ approval }: { approval: Approval }) {
  const { fields, former: now, values } = useApprovalWords()
  const texts = useTexts()
  const { subject, former } = subjectOf(approval)
  if (subject.is_on === false) return <p>{values.ruleOff}</p>
  const shown = FIELDS.flatMap((field) => {
    const [text, before] = [texts[field](subject), texts[field](former)]
    return text === null ? [] : [{ field, text, hints: before === null || before === text ? [] : [now(before)] }]
  })
  return (
    <>
      <dl className="connection-facts">
        {shown.map(({ field, text, hints }) => (
          <Fact key={field} name={fields[field]} hints={hints}>
            <span className="broken-anywhere">
              <bdi>{text}</bdi>
            </span>
          </Fact>
        ))}
      </dl>
      {subject.scopes && (
        <div className="may">
          <Text size="sm" c="dimmed">
            {fields.scopes}
          </Text>
          <ScopeList scopes={subject.scopes} />
        </div>
      )}
    </>
  )
}

/** The text of each field. Null: the request has none. */
function useTexts(): Readonly<Record<(typeof FIELDS)[number], (subject: Subject) => string | null>> {
  const { values } = useApprovalWords()
  const { consent } = useAppWords()
  const { roles } = useRoleWords()
  const times = useTimes()
  const when = <T,>(value: T | undefined, text: (value: T) => string) => (value === undefined ? null : text(value))
  const listed = (all: readonly string[]) => all.join(', ')
  return {
    new_name: ({ new_name }) => when(new_name, (text) => text),
    app: ({ host, is_verified }) =>
      when(is_verified, (is) => [host, is ? values.verified : values.unverified].filter(Boolean).join(', ')),
    url: ({ url }) => when(url, (text) => text),
    email: ({ email }) => when(email, (text) => text),
    role: ({ role }) =>
      when(role, (name) => (name === null ? values.noRole : (roles[name as keyof typeof roles]?.[0] ?? name))),
    event_types: ({ event_types }) => when(event_types, (types) => (types?.length ? listed(types) : values.everyEvent)),
    enabled: ({ enabled }) => when(enabled, (is) => (is ? values.on : values.off)),
    expires_at: ({ expires_at }) => when(expires_at, (at) => (at === null ? values.never : times.moment(at))),
    days: ({ days }) => when(days, consent.life),
    rate_limit: ({ rate_limit }) => when(rate_limit, (rate) => (rate === null ? values.usual : String(rate))),
    include_doubtful: ({ include_doubtful }) => when(include_doubtful, (is) => (is ? values.yes : values.no)),
    networks: ({ networks }) => when(networks, (all) => (all === null ? values.anywhere : listed(all))),
  }
}
