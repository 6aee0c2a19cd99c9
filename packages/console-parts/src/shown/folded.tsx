// A part that is folded away. Its content is made when somebody opens it: a long list has many that nobody opens.
import { type DetailsHTMLAttributes, type ReactNode, useState } from 'react'

interface FoldedProps extends DetailsHTMLAttributes<HTMLDetailsElement> {
  summary: string
  children: ReactNode
}

export function Folded({ summary, children, ...attributes }: FoldedProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details {...attributes} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children}
    </details>
  )
}
