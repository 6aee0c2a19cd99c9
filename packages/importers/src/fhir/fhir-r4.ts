// The parts of FHIR R4 that the import reads. Anything may be missing in a file.

export type Coding = { system?: string; code?: string; display?: string }
export type CodeableConcept = { coding?: Coding[]; text?: string }
export type Identifier = { system?: string; value?: string; type?: CodeableConcept }
export type Reference = { reference?: string; display?: string }
export type Period = { start?: string; end?: string }
export type Money = { value?: number; currency?: string }
export type HumanName = { use?: string; text?: string; family?: string; given?: string[]; prefix?: string[] }
export type ContactPoint = { system?: string; value?: string; use?: string; rank?: number }
export type Address = { use?: string; line?: string[]; city?: string; postalCode?: string; country?: string }

export type Resource = { resourceType?: string; id?: string; meta?: { lastUpdated?: string } }

export type Organization = Resource & {
  name?: string
  type?: CodeableConcept[]
  telecom?: ContactPoint[]
  address?: Address[]
  identifier?: Identifier[]
}

export type Practitioner = Resource & {
  name?: HumanName[]
  qualification?: { code?: CodeableConcept }[]
  identifier?: Identifier[]
}

export type Patient = Resource & {
  name?: HumanName[]
  telecom?: ContactPoint[]
  gender?: string
  birthDate?: string
  address?: Address[]
  identifier?: Identifier[]
}

export type Encounter = Resource & {
  status?: string
  type?: CodeableConcept[]
  subject?: Reference
  participant?: { individual?: Reference }[]
  period?: Period
  serviceProvider?: Reference
}

export type Procedure = Resource & {
  status?: string
  code?: CodeableConcept
  subject?: Reference
  encounter?: Reference
  performer?: { actor?: Reference }[]
  performedPeriod?: Period
  performedDateTime?: string
}

export type ClaimItem = {
  sequence?: number
  procedureSequence?: number[]
  productOrService?: CodeableConcept
  encounter?: Reference[]
  servicedPeriod?: Period
  servicedDate?: string
  quantity?: { value?: number }
  net?: Money
}

export type Claim = Resource & {
  status?: string
  use?: string
  patient?: Reference
  created?: string
  billablePeriod?: Period
  procedure?: { sequence?: number; procedureReference?: Reference }[]
  item?: ClaimItem[]
  total?: Money
}

export type ExplanationOfBenefit = Resource & {
  status?: string
  use?: string
  outcome?: string
  patient?: Reference
  created?: string
  insurer?: Reference
  payment?: { amount?: Money; date?: string }
}

export type BundleEntry = { fullUrl?: string; resource?: Resource; request?: { method?: string } }

/** The first coding with a code, and its display name. */
export function codeOf(concept: CodeableConcept | undefined): { code: string; name: string } | null {
  const coding = concept?.coding?.find(({ code }) => code !== undefined && code !== '')
  if (coding?.code === undefined) return null
  return { code: coding.code, name: coding.display ?? concept?.text ?? coding.code }
}
