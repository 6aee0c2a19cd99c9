// Stands in for a page that is not open to the reader's role: says to whom it is open, and who can change the role.

import { useSession } from '@clinic-data/console-parts/session'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { useWords } from '@clinic-data/console-words/language'
import { useRoleWords } from '@clinic-data/console-words/role-words'
import { Stack, Text } from '@mantine/core'
import { PlaceLink, type PlaceName } from '../places.tsx'
import { rolesAt } from '../role-places.ts'
import { useOpenPlaces } from '../roles.ts'

export function NotOpen({ place }: { place: PlaceName }) {
  const { pages, locale } = useWords()
  const { forbidden, roles } = useRoleWords()
  const session = useSession()
  const { role } = session.administrator
  const { first } = useOpenPlaces()
  const names = rolesAt(place, session).map((one) => roles[one][0])
  return (
    <>
      <Heading title={forbidden.title} />
      <Stack gap="xs" align="flex-start">
        <Text>{forbidden.may(pages[place], new Intl.ListFormat(locale, { type: 'disjunction' }).format(names))}</Text>
        <Text>{forbidden.yours(roles[role][0])}</Text>
        <PlaceLink to={first}>{pages[first]}</PlaceLink>
      </Stack>
    </>
  )
}
