// An integrator's functions against the types that openapi-typescript makes. They are compiled, not run: they prove that the types are
// useful and that they reject mistakes.
import createClient from 'openapi-fetch'
import type { components, operations, paths, webhooks } from './openapi'

type Schemas = components['schemas']

const client = createClient<paths>({
  baseUrl: 'https://api.clinic-data.example',
  headers: { Authorization: 'Bearer …' },
})

/** A page of patients with the fields of the detailed form. */
export async function balances(phone: string): Promise<number[]> {
  const { data, error } = await client.GET('/v1/patients', {
    params: { query: { phone, limit: 100, response_format: 'detailed' } },
  })
  if (error) throw new Error(`${error.type} ${error.status} ${error.request_id}`)
  return data.data.map((patient) => patient.balance?.amount ?? 0)
}

/** Every appointment of a branch, page by page. */
export async function* appointments(branch_id: string): AsyncGenerator<Schemas['Appointment']> {
  let cursor: string | undefined
  do {
    const { data, error } = await client.GET('/v1/appointments', {
      params: { query: { branch_id, from: '2026-07-14', ...(cursor !== undefined && { cursor }) } },
    })
    if (error) throw new Error(error.title)
    yield* data.data
    cursor = data.next_cursor ?? undefined
  } while (cursor !== undefined)
}

export async function transcript(id: string): Promise<string> {
  const { data, error, response } = await client.GET('/v1/calls/{id}', { params: { path: { id } } })
  if (error) throw new Error(`${response.status}: ${error.detail ?? error.title}`)
  return (data.data.transcript.segments ?? []).map(({ speaker, text }) => `${speaker}: ${text}`).join('\n')
}

/** A receiver of events: each type's body has the type of its resource. */
type Body<T extends keyof webhooks> = webhooks[T]['post']['requestBody']['content']['application/json']
export const onMessage = (event: Body<'chat.message.received'>): string | null => event.data.text
export const onBooking = ({ type, data }: Body<'appointment.created'>): [typeof type, string | null] => [
  type,
  data.start,
]

export type Search = operations['patients_list']['parameters']['query']

/** Mistakes that the types reject. */
export async function mistakes(): Promise<void> {
  // @ts-expect-error availability needs from, to and branch_id
  await client.GET('/v1/availability', { params: { query: { from: '2026-07-14' } } })
  // @ts-expect-error there is no such filter
  await client.GET('/v1/patients', { params: { query: { name: 'Levi' } } })
  // @ts-expect-error there is no such status
  await client.GET('/v1/calls', { params: { query: { status: 'lost' } } })
  // @ts-expect-error patients cannot be written
  await client.POST('/v1/patients', { body: {} })
  const { data } = await client.GET('/v1/me')
  // @ts-expect-error a field that does not exist
  data?.data.clinic_name
}
