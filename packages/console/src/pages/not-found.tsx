// The page for an address without a page.

import { useWords } from '@clinic-data/console-words/language'
import { PlaceLink } from '../places.tsx'
import { Heading } from '../shown/heading.tsx'

export function NotFoundPage() {
  const { notFound } = useWords()
  return (
    <>
      <Heading title={notFound.title} text={notFound.text} />
      <PlaceLink to="keys">{notFound.back}</PlaceLink>
    </>
  )
}
