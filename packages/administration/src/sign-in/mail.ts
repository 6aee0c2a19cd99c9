// The port to the mail server.

export interface Message {
  to: string
  subject: string
  text: string
}

export interface Mail {
  /** Resolves when the mail server has taken it. */
  send(message: Message): Promise<void>
}
