// Asks before an integration is stopped, and says what that stops.

import { api, type IntegrationPage, type StopAnswer } from '@clinic-data/console-parts/api'
import { forgetMembers } from '@clinic-data/console-parts/requests/forget-members'
import { AskFirst } from '@clinic-data/console-parts/shown/ask-first'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'

interface StopDialogProps {
  integration: IntegrationPage
  isOpen: boolean
  onClose: () => void
  onStopped: (done: StopAnswer) => void
}

export function StopDialog({ integration, isOpen, onClose, onStopped }: StopDialogProps) {
  const { stopping } = useIntegrationWords().integrations
  const client = useQueryClient()
  const { id, name, keys, connections, webhook_list } = integration
  const stop = async () => {
    onStopped(await api.stopIntegration(id))
    await forgetMembers(client)
  }
  const parts = stopping.parts(keys, connections, webhook_list.filter(({ enabled }) => enabled).length)
  return (
    <AskFirst title={isOpen ? stopping.title(name) : null} submit={stopping.submit} act={stop} onClose={onClose}>
      {parts.length === 0 ? (
        <Text>{stopping.nothing}</Text>
      ) : (
        <div>
          <Text>{stopping.text}</Text>
          <ul className="stopping">
            {parts.map((part) => (
              <li key={part}>{part}</li>
            ))}
          </ul>
        </div>
      )}
      <Text>{stopping.undone}</Text>
    </AskFirst>
  )
}
