// Shows what has come or ended since the administrator was here before.

import type { Home } from '@clinic-data/console-parts/api'
import { useTimes } from '@clinic-data/console-parts/times'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Card, Text, Title } from '@mantine/core'
import { IntegrationName } from '../belonging/integration-name.tsx'
import { MemberLink } from './member-link.tsx'

export function News({ home: { news, since } }: { home: Home }) {
  const { fresh: words } = useIntegrationWords().home
  const times = useTimes()
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        {words.title}
      </Title>
      <Card withBorder padding={news.length === 0 ? 'lg' : 0}>
        {news.length === 0 ? (
          <Text c="dimmed">{since === null ? words.first : words.none(times.moment(since))}</Text>
        ) : (
          <ul className="home-list">
            {news.map((one) => (
              <li key={`${one.kind} ${one.id}`}>
                <span className="home-what">
                  {words.kinds[one.kind]} <MemberLink {...one} />
                </span>
                <span>
                  {times.moment(one.at)}
                  {one.integration.name !== one.name && (
                    <>
                      {' · '}
                      <IntegrationName of={one.integration} />
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </section>
  )
}
