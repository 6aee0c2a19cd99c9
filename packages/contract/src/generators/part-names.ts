// The names of the objects inside answers. Without a name of its own an object gets one from its field, and generators take that for the
// component that sounds alike: `Appointment.status` lost its fields to `AppointmentStatus`.
import { PageMeta } from '../page-meta.ts'
import type { MediaType, OperationObject } from '../projections/openapi-document.ts'
import { publishedBody } from '../projections/published-schema.ts'
import { Address } from '../resources/address.ts'
import { Balance } from '../resources/patient.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { NamedReference } from '../schema/schema.ts'
import { refer } from './every-part.ts'

/** By resource and field. A resource's detailed form has the parts of the concise one. */
const partNames: Readonly<Record<string, string>> = {
  'Appointment.status': 'AppointmentStatusSummary',
  'Appointment.type': 'AppointmentTypeSummary',
  'Call.recording': 'CallRecording',
  'Call.transcript': 'CallTranscript',
  'ChatMessage.media': 'ChatMessageMedia',
  'ChatMessage.timestamps': 'ChatMessageTimestamps',
  'ChatTemplate.header': 'ChatTemplateHeader',
  'ChatTemplate.variables': 'ChatTemplateVariable',
  'DatasetDescriptor.dimensions': 'DatasetDimension',
  'DatasetDescriptor.filters': 'DatasetFilter',
  'DatasetDescriptor.measures': 'DatasetMeasure',
  'ChatMessagesCreateAnswer.meta': 'ChatDelivery',
  'Delivery.attempts': 'DeliveryAttempt',
  'Me.clinic': 'MeClinic',
  'Patient.status': 'PatientStatus',
  'MetricsDescribeAnswer.data': 'Metrics',
  'Payment.billing_account': 'PaymentBillingAccount',
  'Payment.refunds': 'PaymentRefund',
  'Treatment.appointment': 'TreatmentAppointment',
  'Treatment.treatment': 'TreatmentProcedure',
  'Webhook.circuit': 'WebhookCircuit',
  'WebhooksReplayAnswer.data': 'WebhookReplay',
}

/** Parts of many resources and answers, which are known by their fields. `open` opens their lists. */
const sharedParts = (open: <T>(part: T) => T): Record<string, JsonSchema> => ({
  Address: open(publishedBody(Address, refer)),
  Balance: open(publishedBody(Balance, refer)),
  NamedReference: open(publishedBody(NamedReference, refer)),
  PageMeta: open(publishedBody(PageMeta, refer)),
})

/**
 * The name of an operation as the beginning of a type's name.
 *
 * @example typeOf(operation) // 'LeadsCreate'
 */
export function typeOf({ operationId }: OperationObject): string {
  return operationId.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

const fieldsOf = ({ required, properties }: JsonSchema) => JSON.stringify([required, properties])

/** Gives each object of the answers its name, and keeps the components that come about. */
export class PartNames {
  /** By name. */
  readonly made: Record<string, JsonSchema> = {}
  readonly #components: Readonly<Record<string, JsonSchema>>
  readonly #byFields: ReadonlyMap<string, string>

  /** @param components those that answers reach, with open lists. */
  constructor(components: Readonly<Record<string, JsonSchema>>, open: <T>(part: T) => T) {
    this.#components = components
    const known = Object.entries({ ...components, ...sharedParts(open) })
    this.#byFields = new Map(known.map(([name, schema]) => [fieldsOf(schema), name]))
  }

  /** A component, or the answer of an operation, with each object inside by its name. */
  inside(name: string, schema: JsonSchema): JsonSchema {
    if (!schema.properties) return schema
    const fields = Object.entries(schema.properties).map(([field, part]) => [
      field,
      this.#part(`${name}.${field}`, part),
    ])
    return { ...schema, properties: Object.fromEntries(fields) }
  }

  /** An answer by its name: the same one at each status. */
  answer(name: string, answer: MediaType): MediaType {
    return { ...answer, schema: this.#component(name, answer.schema) }
  }

  #part(place: string, part: JsonSchema): JsonSchema {
    if (part.items) return { ...part, items: this.#part(place, part.items) }
    if (!part.properties) return part
    const { type, description, ...object } = part
    const name = partNames[place.replace('Detailed.', '.')] ?? this.#byFields.get(fieldsOf(object))
    if (name === undefined) throw new Error(`an object of an answer without a name: ${place}`)
    const named = name in this.#components ? refer(name) : this.#component(name, { type: 'object', ...object })
    const described = description === undefined ? {} : { description }
    return typeof type === 'string' ? { ...named, ...described } : { anyOf: [named, { type: 'null' }], ...described }
  }

  #component(name: string, object: JsonSchema): JsonSchema {
    const schema = this.inside(name, object)
    const earlier = this.made[name]
    if (name in this.#components || (earlier && fieldsOf(earlier) !== fieldsOf(schema)))
      throw new Error(`two objects named ${name}`)
    this.made[name] = schema
    return refer(name)
  }
}
