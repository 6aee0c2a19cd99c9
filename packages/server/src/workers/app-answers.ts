// An app's request on its way from a worker to the primary process, which has the login that makes tokens, and the answer on its way back.
import { Problem, type ProblemSlug } from '@clinic-data/contract'
import type { AnswerApp, AppAnswer, AppEndpoint, AppRequest } from '@clinic-data/contract/app-request'

export interface AppQuestion {
  readonly endpoint: AppEndpoint
  readonly request: AppRequest
  readonly request_id: string
  /** Each process counts its own time. */
  readonly remaining_ms: number
}

export type AppReply =
  | { readonly answer: AppAnswer }
  | { readonly problem: { slug: ProblemSlug; detail: string; retry_after?: number | undefined } }

/** The worker's side. */
export function askingPrimary(ask: (question: AppQuestion) => Promise<AppReply>): AnswerApp {
  return async (endpoint, request, { request_id, deadline }) => {
    const reply = await ask({ endpoint, request, request_id, remaining_ms: deadline - performance.now() })
    if ('answer' in reply) return reply.answer
    const { slug, detail, retry_after } = reply.problem
    throw new Problem(slug, detail, retry_after === undefined ? {} : { retry_after })
  }
}

/** The primary's side. A problem is an answer, any other error breaks the question. */
export function answeringWorkers(answerApp: AnswerApp): (question: AppQuestion) => Promise<AppReply> {
  return async ({ endpoint, request, request_id, remaining_ms }) => {
    try {
      return { answer: await answerApp(endpoint, request, { request_id, deadline: performance.now() + remaining_ms }) }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const { slug, message: detail, members } = error
      return { problem: { slug, detail, retry_after: members.retry_after } }
    }
  }
}
