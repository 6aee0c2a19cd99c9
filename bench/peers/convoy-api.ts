// What a comparison asks of Convoy's API: a project, an endpoint with a subscription, events.
import { Agent, request } from 'undici'

const EVENT_TYPE = 'appointment.created'
/** Of an endpoint, of its API and of what it takes in: nothing here is to be slowed down. */
export const NO_LIMIT = 1_000_000

/** Eight retries whose pauses double, as with Outpost. */
const PROJECT = {
  name: 'bench',
  type: 'outgoing',
  config: { strategy: { type: 'exponential', duration: 5, retry_count: 8 } },
}

/** A project with the key that may send to it. */
export interface Project {
  readonly id: string
  readonly key: string
}

interface NewProject {
  readonly project: { readonly uid: string }
  readonly api_key: { readonly key: string }
}

/** Whom an event is for: all endpoints of an owner, or one endpoint. */
export type To = { readonly owner_id: string } | { readonly endpoint_id: string }

/** The API of one of its processes. */
export class ConvoyApi {
  readonly #agent = new Agent({ connections: 64, pipelining: 1 })
  readonly #url: string

  constructor(port: number) {
    this.#url = `http://127.0.0.1:${port}/api/v1/projects`
  }

  /** @param key of a person. */
  async makeProject(key: string, organisation_id: string): Promise<Project> {
    const { project, api_key } = await this.#post<NewProject>(`?orgID=${organisation_id}`, key, JSON.stringify(PROJECT))
    return { id: project.uid, key: api_key.key }
  }

  /** @returns the id of the endpoint */
  async subscribe({ id, key }: Project, owner_id: string, name: string, url: string): Promise<string> {
    const limits = { rate_limit: NO_LIMIT, rate_limit_duration: 1 }
    const { uid } = await this.#post<{ uid: string }>(
      `/${id}/endpoints`,
      key,
      JSON.stringify({ name, url, owner_id, ...limits }),
    )
    const subscription = { name, endpoint_id: uid, filter_config: { event_types: ['*'] } }
    await this.#post(`/${id}/subscriptions`, key, JSON.stringify(subscription))
    return uid
  }

  /** One request for each event. */
  async send({ id, key }: Project, to: To, bodies: readonly { body: string }[]): Promise<void> {
    const path = `/${id}/events${'owner_id' in to ? '/fanout' : ''}`
    const head = `${JSON.stringify({ ...to, event_type: EVENT_TYPE }).slice(0, -1)},"data":`
    await Promise.all(bodies.map(({ body }) => this.#post(path, key, `${head}${body}}`)))
  }

  close(): Promise<void> {
    return this.#agent.close()
  }

  async #post<Data>(path: string, key: string, body: string): Promise<Data> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await request(this.#url + path, { dispatcher: this.#agent, method: 'POST', headers, body })
    const text = await answer.body.text()
    if (answer.statusCode > 299) throw new Error(`${path}: ${answer.statusCode} ${text}`)
    return (JSON.parse(text) as { data: Data }).data
  }
}
