// Stands in for a page that could not be shown: its scripts did not arrive, or belong to an earlier version of the service.
import { Component, type ReactNode } from 'react'
import { useWords } from '../words/language.tsx'
import { Refused } from './failure.tsx'

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
  return <Refused text={problem.unshown} onRetry={() => location.reload()} />
}
