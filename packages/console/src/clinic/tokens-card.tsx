// The tokens of the clinic's own systems: seeing, minting and revoking them.

import { api, type ConsoleToken } from '@clinic-data/console-parts/api'
import { useHasDraft } from '@clinic-data/console-parts/requests/draft'
import { CardHead } from '@clinic-data/console-parts/shown/card-head'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { Folded } from '@clinic-data/console-parts/shown/folded'
import { PlusIcon } from '@clinic-data/console-parts/shown/icons'
import { useOpened } from '@clinic-data/console-parts/shown/use-opened'
import { useTimes } from '@clinic-data/console-parts/times'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Card, Code, Group, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MintTokenDialog, NEW_TOKEN } from './mint-token-dialog.tsx'
import { RevokeTokenDialog } from './revoke-token-dialog.tsx'
import { maskedToken, TOKENS } from './tokens.ts'

export function TokensCard() {
  const { clinic } = useWords()
  const listed = useQuery({ queryKey: TOKENS, queryFn: api.listTokens })
  const [isMinting, setMinting] = useState(useHasDraft(NEW_TOKEN))
  const revocation = useOpened<ConsoleToken>()
  const usable = listed.data?.filter(({ revoked_at }) => revoked_at === null) ?? []
  const ended = listed.data?.filter(({ revoked_at }) => revoked_at !== null) ?? []
  return (
    <Card withBorder padding={0} component="section" aria-label={clinic.tokens} className="tokens">
      <Group justify="space-between" align="flex-start" gap="md" className="clinic-head">
        <div className="tokens-text">
          <CardHead title={clinic.tokens} text={clinic.tokensText} />
        </div>
        <Button size="sm" leftSection={<PlusIcon size={16} />} onClick={() => setMinting(true)}>
          {clinic.mint}
        </Button>
      </Group>
      <Failure error={listed.error} onRetry={() => listed.refetch()} />
      {listed.isPending && <Skeleton height={80} m="lg" w="auto" aria-hidden="true" />}
      {listed.data && usable.length === 0 && <Empty />}
      {usable.length > 0 && <TokenTable tokens={usable} label={clinic.tokens} onRevoke={revocation.open} />}
      {ended.length > 0 && (
        <Folded className="ended tokens-ended" summary={clinic.ended(ended.length)}>
          <TokenTable tokens={ended} label={clinic.ended(ended.length)} onRevoke={revocation.open} />
        </Folded>
      )}
      <MintTokenDialog isOpen={isMinting} onClose={() => setMinting(false)} />
      <RevokeTokenDialog revoked={revocation.opened} onClose={revocation.closing(revocation.opened)} />
    </Card>
  )
}

interface TokenTableProps {
  tokens: readonly ConsoleToken[]
  label: string
  onRevoke: (token: ConsoleToken) => void
}

function TokenTable({ tokens, label, onRevoke }: TokenTableProps) {
  const { clinic, keys } = useWords()
  const times = useTimes()
  const { tokenColumns: columns } = clinic
  return (
    <div className="clinic-scroll">
      <Table className="clinic-table" aria-label={label} verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{columns.name}</Table.Th>
            <Table.Th>{columns.token}</Table.Th>
            <Table.Th>{columns.made}</Table.Th>
            <Table.Th>
              <span className="unseen">{columns.actions}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tokens.map((token) => (
            <Table.Tr key={token.id}>
              <Table.Td>
                <bdi className="token-name">{token.name}</bdi>
                {token.revoked_at !== null && (
                  <Text size="xs" c="dimmed">
                    {clinic.revokedAt(times.moment(token.revoked_at))}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Code dir="ltr">{maskedToken(token)}</Code>
              </Table.Td>
              <Table.Td>{keys.madeBy(times.day(token.created_at), token.made_by?.name ?? keys.operator)}</Table.Td>
              <Table.Td ta="end">
                {token.revoked_at === null && (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={clinic.revokeOf(token.name)}
                    onClick={() => onRevoke(token)}
                  >
                    {clinic.revoke}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function Empty() {
  const { clinic } = useWords()
  return (
    <Stack gap={4} align="center" ta="center" px="md" pb={40} pt="md">
      <Text fw={600}>{clinic.noTokens}</Text>
      <Text c="dimmed">{clinic.noTokensText}</Text>
    </Stack>
  )
}
