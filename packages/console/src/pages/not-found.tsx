// The page for an address without a page.

import { Heading } from '@clinic-data/console-parts/shown/heading'
import { useWords } from '@clinic-data/console-words/language'
import { PlaceLink } from '../places.tsx'
import { useOpenPlaces } from '../roles.ts'

export function NotFoundPage() {
  const { notFound, pages } = useWords()
  const { first } = useOpenPlaces()
  return (
    <>
      <Heading title={notFound.title} text={notFound.text} />
      <PlaceLink to={first}>{pages[first]}</PlaceLink>
    </>
  )
}
