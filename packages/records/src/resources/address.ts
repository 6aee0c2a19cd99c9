// Renders the postal address of a branch or a patient from its four columns.

export interface AddressColumns {
  street: string | null
  city: string | null
  postal_code: string | null
  country: string | null
}

/** Null when no part of the address is known. */
export function renderAddress({ street, city, postal_code, country }: AddressColumns): AddressColumns | null {
  return street === null && city === null && postal_code === null && country === null
    ? null
    : { street, city, postal_code, country }
}
