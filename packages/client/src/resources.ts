// The client's methods, by the operations' ids. Written by `npm run golden` from the contract; a test compares.
import type { Method } from './method.ts'

export interface Resources {
  me: {
    /** The clinic and scopes of the key: `GET /v1/me`, no scope. Needs no scope: every valid key may ask this. */
    get: Method<'me.get', []>
  }
  patients: {
    /** List and search patients: `GET /v1/patients`, scope `patients:read`. Filters combine with AND. With `query` the rows are sorted by name, otherwise by id. `phone` matches any phone of a patient, contacts included, in any common form. `email` matches a whole address, in upper or lower case. */
    list: Method<'patients.list', []>
    /** One patient: `GET /v1/patients/{id}`, scope `patients:read`. By id. `response_format=detailed` adds address, contacts, balance and id number. */
    get: Method<'patients.get', [patient_id: string]>
    appointments: {
      /** A patient's appointments: `GET /v1/patients/{id}/appointments`, scope `appointments:read`. Sorted by `start`, earliest first. */
      list: Method<'patients.appointments.list', [patient_id: string]>
    }
    calls: {
      /** A patient's calls: `GET /v1/patients/{id}/calls`, scope `calls:read`. Latest first: every call with one of the patient's phones. */
      list: Method<'patients.calls.list', [patient_id: string]>
    }
    chat_messages: {
      /** A patient's chat messages: `GET /v1/patients/{id}/chat/messages`, scope `chat:read`. Latest first: every message with one of the patient's phones. */
      list: Method<'patients.chat_messages.list', [patient_id: string]>
    }
  }
  appointments: {
    /** List appointments: `GET /v1/appointments`, scope `appointments:read`. Sorted by `start`, earliest first. Filters combine with AND. */
    list: Method<'appointments.list', []>
    /** One appointment: `GET /v1/appointments/{id}`, scope `appointments:read`. By id. */
    get: Method<'appointments.get', [appointment_id: string]>
  }
  availability: {
    /** Free slots of a branch: `GET /v1/availability`, scope `availability:read`. Each slot is the longest free window of one provider at the branch. It lies within the working hours, outside of time off and of appointments that are not cancelled, and never crosses midnight. An appointment without an end takes its type's duration. Today's first slot begins at the next step of the clinic's clock (every 5 minutes unless the clinic chose another step). A visit may start at any time from `start` to `latest_start`. One request covers at most 31 days. Sorted by start, then by provider. */
    list: Method<'availability.list', []>
  }
  treatments: {
    /** A patient's recorded treatments: `GET /v1/patients/{id}/treatments`, scope `treatments:read`. Sorted by `performed_at`, latest first. */
    list: Method<'treatments.list', [patient_id: string]>
    /** One recorded treatment: `GET /v1/treatments/{id}`, scope `treatments:read`. By id. A removed treatment is not found. */
    get: Method<'treatments.get', [treatment_id: string]>
  }
  payments: {
    /** A patient's payments and refunds: `GET /v1/patients/{id}/payments`, scope `payments:read`. Sorted by `paid_at`, latest first. A refund is a payment of its own. */
    list: Method<'payments.list', [patient_id: string]>
    /** Record a payment: `POST /v1/patients/{id}/payments`, scope `payments:write`. Records a payment and issues its accounting documents. `billing_account_id` may be omitted only when the clinic has exactly one billing account. */
    create: Method<'payments.create', [patient_id: string]>
    /** The clinic's payments and refunds: `GET /v1/payments`, scope `payments:read`. Those of all patients, sorted by `paid_at`, latest first. A refund is a payment of its own. */
    search: Method<'payments.search', []>
    /** One payment: `GET /v1/payments/{id}`, scope `payments:read`. By id. Card, check and bank details are never part of a payment. */
    get: Method<'payments.get', [payment_id: string]>
  }
  catalog: {
    appointment_statuses: {
      /** Appointment statuses: `GET /v1/catalog/appointments/statuses`, scope `catalog:read`. Every status an appointment can have in this clinic. */
      list: Method<'catalog.appointment_statuses.list', []>
    }
    appointment_types: {
      /** Appointment types: `GET /v1/catalog/appointments/types`, scope `catalog:read`. Every type of appointment, with its default duration. */
      list: Method<'catalog.appointment_types.list', []>
    }
    billing_accounts: {
      /** Billing accounts: `GET /v1/catalog/billing/accounts`, scope `catalog:read`. The receipt books. To record a payment, send the id of one as `billing_account_id`. */
      list: Method<'catalog.billing_accounts.list', []>
    }
    branches: {
      /** Branches: `GET /v1/catalog/branches`, scope `catalog:read`. Every branch of the clinic. */
      list: Method<'catalog.branches.list', []>
    }
    providers: {
      /** Providers: `GET /v1/catalog/providers`, scope `catalog:read`. Everyone who treats patients. */
      list: Method<'catalog.providers.list', []>
    }
    treatments: {
      /** Treatment menu: `GET /v1/catalog/treatments`, scope `catalog:read`. The procedures that the clinic offers, with their default prices. */
      list: Method<'catalog.treatments.list', []>
    }
  }
  leads: {
    /** Capture a lead: `POST /v1/leads`, scope `leads:write`. 201: the lead was created. 200: it existed already, because the `external_id` was known or the phone or email matched an open lead. The submission is then added to the activity timeline of the existing lead, and that lead is returned. */
    create: Method<'leads.create', []>
  }
  calls: {
    /** List calls: `GET /v1/calls`, scope `calls:read`. Latest first. `patient_id` finds calls with any phone of the patient. `transcript.segments` is null in lists: get one call to read them. */
    list: Method<'calls.list', []>
    /** One call: `GET /v1/calls/{id}`, scope `calls:read`. By id. Includes the whole transcript, if there is one. */
    get: Method<'calls.get', [call_id: string]>
    recording: {
      /** A link to the recording: `GET /v1/calls/{id}/recording`, scope `calls:read`. Answers a signed link. The link needs no key, is valid for 15 minutes and serves `Range`. 404 if there is no recording yet. */
      get: Method<'calls.recording.get', [call_id: string]>
    }
  }
  chat: {
    conversations: {
      /** List conversations: `GET /v1/chat/conversations`, scope `chat:read`. Latest activity first. One conversation per phone number that the clinic has exchanged messages with. */
      list: Method<'chat.conversations.list', []>
      /** One conversation: `GET /v1/chat/conversations/{id}`, scope `chat:read`. By id. */
      get: Method<'chat.conversations.get', [conversation_id: string]>
      messages: {
        /** Messages of a conversation: `GET /v1/chat/conversations/{id}/messages`, scope `chat:read`. Latest first. */
        list: Method<'chat.conversations.messages.list', [conversation_id: string]>
      }
    }
    messages: {
      /** List messages: `GET /v1/chat/messages`, scope `chat:read`. Latest first. */
      list: Method<'chat.messages.list', []>
      /** Send a message to a patient: `POST /v1/chat/messages`, scope `chat:write`. Answers the message with the status `queued`. Outside the 24-hour window, free text is wrapped in a marketing template. `meta.delivery_mode` says how the message is sent. */
      create: Method<'chat.messages.create', []>
      /** One message: `GET /v1/chat/messages/{id}`, scope `chat:read`. By its whole id, with the prefix (`in_…` or `out_…`). */
      get: Method<'chat.messages.get', [message_id: string]>
      media: {
        /** A link to a message's media: `GET /v1/chat/messages/{id}/media`, scope `chat:read`. Answers a signed link. The link needs no key, is valid for 15 minutes and serves `Range`. 404 if there is no file. */
        get: Method<'chat.messages.media.get', [message_id: string]>
      }
    }
    templates: {
      /** Message templates: `GET /v1/chat/templates`, scope `chat:read`. Sorted by name. Only approved templates, unless `status` asks for others. */
      list: Method<'chat.templates.list', []>
    }
  }
  metrics: {
    /** Describe the datasets: `GET /v1/metrics`, scope `analytics:read`. Lists the measures, dimensions and filters of each dataset. A query may use only these names. A name is left out if the key lacks its scope. */
    describe: Method<'metrics.describe', []>
  }
  query: {
    /** Run one aggregation: `POST /v1/query`, scope `analytics:read`. Groups and aggregates one dataset. Answers rows, and totals over the whole filtered set. Describe the dataset first: a query names its measures, dimensions and filters. */
    run: Method<'query.run', []>
  }
  events: {
    /** The event feed: `GET /v1/events`, scope `webhooks:manage`. Every event once, in order. Without `cursor` and `since` the feed starts now. After each answer, send its `resume_cursor` back as `cursor`. The `chat.*` types also need `chat:read`. A request that names no types gets chat events only with that scope. While `next_cursor` is not null, more events can be read at once, even if this page has few rows or none. */
    list: Method<'events.list', []>
  }
  webhooks: {
    /** List subscriptions: `GET /v1/webhooks`, scope `webhooks:manage`. Every subscription of the clinic, with its secret masked. */
    list: Method<'webhooks.list', []>
    /** Subscribe to events: `POST /v1/webhooks`, scope `webhooks:manage`. The signing secret is shown only in this answer. Every `chat.*` type also needs `chat:read`. */
    create: Method<'webhooks.create', []>
    /** One subscription: `GET /v1/webhooks/{id}`, scope `webhooks:manage`. By id, with its secret masked. */
    get: Method<'webhooks.get', [webhook_id: string]>
    /** Change a subscription: `PATCH /v1/webhooks/{id}`, scope `webhooks:manage`. Changes the fields that are sent; the others and the secret stay. Deliveries that wait are still sent, to the `url` of that moment, also those of a type that is no longer wanted. A new `url` closes the circuit, and waiting retries are due at once. It needs `chat:read` too if the subscription wants `chat.*` types or ever did. 409 if the subscription is disabled. */
    update: Method<'webhooks.update', [webhook_id: string]>
    /** Delete a subscription: `DELETE /v1/webhooks/{id}`, scope `webhooks:manage`. Stops all future deliveries. */
    delete: Method<'webhooks.delete', [webhook_id: string]>
    deliveries: {
      /** The delivery log: `GET /v1/webhooks/{id}/deliveries`, scope `webhooks:manage`. Latest first. Each event has one row, which lists its attempts. */
      list: Method<'webhooks.deliveries.list', [webhook_id: string]>
      /** Retry or resend a delivery now: `POST /v1/webhooks/{id}/deliveries/{delivery_id}/retry`, scope `webhooks:manage`. Attempts a delivery within a second, even while the circuit is open, with the same event id and body. A `delivered` one is sent again too, and is `delivered` again even if that attempt fails. A 2xx closes the circuit. The schedule of the delivery stays as it was. 409 if it is being attempted, or if the subscription is disabled. */
      retry: Method<'webhooks.deliveries.retry', [webhook_id: string, delivery_id: string]>
    }
    /** Replay a time range: `POST /v1/webhooks/{id}/replay`, scope `webhooks:manage`. Sends the events of a time range (at most 30 days back) again: those whose delivery failed, or all. All includes events from before the subscription was made. One request sends at most 50,000 events. */
    replay: Method<'webhooks.replay', [webhook_id: string]>
    secret: {
      /** Rotate the signing secret: `POST /v1/webhooks/{id}/secret/rotate`, scope `webhooks:manage`. Makes a new secret, shown only in this answer. For 24 hours deliveries are signed with both: `webhook-signature` lists a signature of each secret, and `X-Service-Signature` is still that of the former one. Then the former secret is erased. Give your receiver both secrets for that time. 409 if the subscription is disabled, or its secret was rotated four times within 24 hours. */
      rotate: Method<'webhooks.secret.rotate', [webhook_id: string]>
    }
    /** Send a test event: `POST /v1/webhooks/{id}/test`, scope `webhooks:manage`. Delivers an example of an event type, marked `test: true`. It is sent within a second, even while the circuit is open. */
    test: Method<'webhooks.test', [webhook_id: string]>
  }
}
