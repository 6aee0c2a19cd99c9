// Stands in for a page that could not be shown: its scripts did not arrive, or belong to an earlier version of the service.

import { useWords } from '@clinic-data/console-words/language'
import { Component, type ReactNode, useEffect } from 'react'
import { Refused } from './failure.tsx'
import { MissingCode } from './later.tsx'
import { loadAgainOnce } from './load-again.ts'

interface Broken {
  /** Otherwise loading the page again would show the same. */
  isCodeMissing: boolean
}

export class BrokenPage extends Component<{ children: ReactNode }, { broken: Broken | null }> {
  override state: { broken: Broken | null } = { broken: null }

  static getDerivedStateFromError(error: unknown): { broken: Broken } {
    return { broken: { isCodeMissing: error instanceof MissingCode } }
  }

  override render() {
    const { broken } = this.state
    return broken === null ? this.props.children : <LoadAgain {...broken} />
  }
}

function LoadAgain({ isCodeMissing }: Broken) {
  const { problem } = useWords()
  useEffect(() => {
    if (isCodeMissing) void loadAgainOnce()
  }, [isCodeMissing])
  return <Refused text={problem.unshown} onRetry={() => location.reload()} />
}
