// Whose console this tab shows, and the clinic that it works in, where it is not the one that was signed in to but is paired with it. Each tab has its own.

const AT = 'console.at'

let shown: string | null = null

/** The id of the administrator whom the page shows. Null: nobody yet. */
export const reader = () => shown

export function show(administrator_id: string | null): void {
  shown = administrator_id
}

/** Null: the clinic that was signed in to. */
export const clinicAt = () => sessionStorage.getItem(AT)

export function workAt(clinic_id: string | null): void {
  if (clinic_id === null) sessionStorage.removeItem(AT)
  else sessionStorage.setItem(AT, clinic_id)
}

/** Nothing that was read or written in one clinic is there in the other one: the console begins anew. */
export function moveTo(clinic_id: string | null, address = '/console/'): void {
  workAt(clinic_id)
  location.assign(address)
}
