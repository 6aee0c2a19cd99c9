// Stands in for a page that could not be shown: its scripts did not arrive, or belong to an earlier version of the service.
import { Component, type ReactNode, useEffect } from 'react'
import { useWords } from '../words/language.tsx'
import { Refused } from './failure.tsx'
import { loadAgainOnce } from './load-again.ts'

export class BrokenPage extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    return this.state.isBroken ? <LoadAgain /> : this.props.children
  }
}

function LoadAgain() {
  const { problem } = useWords()
  useEffect(() => void loadAgainOnce(), [])
  return <Refused text={problem.unshown} onRetry={() => location.reload()} />
}
