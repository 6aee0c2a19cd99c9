// A call of a backend's port, before it is sent: alone, or with others in one message.
export interface Call {
  method: 'GET' | 'POST'
  path: string
  body?: string
  /** JSON of what a backend that records reads is told beside the body. */
  record?: string
  requestId?: string
  /** Where the client asks from. Only for a file. */
  clientAddress?: string | null
  /** By the monotonic clock. */
  deadline: number
  /** Repeating it changes nothing: it is a read. */
  isRepeatable: boolean
}
