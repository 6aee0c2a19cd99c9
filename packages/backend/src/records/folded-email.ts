// The form of an email in which it is stored for comparison and searched.

export function foldEmail(email: string): string {
  return email.trim().toLowerCase()
}
