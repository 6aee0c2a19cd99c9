// The page for an address without a page.
import { PlaceLink } from '../places.tsx'
import { Heading } from '../shown/heading.tsx'
import { useWords } from '../words/language.tsx'

export function NotFoundPage() {
  const { notFound } = useWords()
  return (
    <>
      <Heading title={notFound.title} text={notFound.text} />
      <PlaceLink to="keys">{notFound.back}</PlaceLink>
    </>
  )
}
