// The client's methods, by the operations' ids. Written by `npm run golden` from the contract; a test compares.
import type { Method } from './method.ts'

export interface Resources {
  me: {
    /** The clinic and scopes of the key: `GET /v1/me`, no scope. Needs no scope: any valid key may ask what it is. */
    get: Method<'me.get', []>
  }
  patients: {
    /** List and search patients: `GET /v1/patients`, scope `patients:read`. Filters combine with AND. With `query` the rows are ordered by name, else by id. `phone` compares every phone of a patient, contacts included, in normal form; `email` is compared whole, whatever its case. */
    list: Method<'patients.list', []>
    /** One patient: `GET /v1/patients/{id}`, scope `patients:read`. With `response_format=detailed` also address, contacts, balance and id number. */
    get: Method<'patients.get', [patient_id: string]>
    appointments: {
      /** A patient's appointments: `GET /v1/patients/{id}/appointments`, scope `appointments:read`. By start, earliest first. */
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
    /** List appointments: `GET /v1/appointments`, scope `appointments:read`. By start, earliest first. Filters combine with AND. */
    list: Method<'appointments.list', []>
    /** One appointment: `GET /v1/appointments/{id}`, scope `appointments:read`. By id. */
    get: Method<'appointments.get', [appointment_id: string]>
  }
  availability: {
    /** Free slots of a branch: `GET /v1/availability`, scope `availability:read`. Each slot is a maximal free window of one provider at the branch: working hours less time off and appointments that are not cancelled, never across midnight. An appointment without an end takes its type's duration. Today's first slot begins at the next step of the clinic's clock (5 minutes unless set). A visit may start from `start` to `latest_start`. At most 31 days at once; by start, then provider. */
    list: Method<'availability.list', []>
  }
  treatments: {
    /** A patient's recorded treatments: `GET /v1/patients/{id}/treatments`, scope `treatments:read`. By the time performed, latest first. */
    list: Method<'treatments.list', [patient_id: string]>
    /** One recorded treatment: `GET /v1/treatments/{id}`, scope `treatments:read`. By id. A removed treatment is not found. */
    get: Method<'treatments.get', [treatment_id: string]>
  }
  payments: {
    /** A patient's payments and refunds: `GET /v1/patients/{id}/payments`, scope `payments:read`. By the time paid, latest first. A refund is a payment of its own. */
    list: Method<'payments.list', [patient_id: string]>
    /** Record a payment: `POST /v1/patients/{id}/payments`, scope `payments:write`. Records a payment and issues its accounting documents. `billing_account_id` may be omitted only when the clinic has exactly one billing account. */
    create: Method<'payments.create', [patient_id: string]>
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
      /** Billing accounts: `GET /v1/catalog/billing/accounts`, scope `catalog:read`. The receipt books; their ids are usable as `billing_account_id` when a payment is recorded. */
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
    /** Capture a lead: `POST /v1/leads`, scope `leads:write`. 201: the lead was created. 200: it existed already, by `external_id` or because the phone or email matched an open lead; the submission then joins the activity timeline of that lead, which is returned. */
    create: Method<'leads.create', []>
  }
  calls: {
    /** List calls: `GET /v1/calls`, scope `calls:read`. Latest first. `patient_id` compares every phone of the patient. A row's `transcript.segments` is null; get the call for them. */
    list: Method<'calls.list', []>
    /** One call: `GET /v1/calls/{id}`, scope `calls:read`. With the whole transcript once there is one. */
    get: Method<'calls.get', [call_id: string]>
    recording: {
      /** A link to the recording: `GET /v1/calls/{id}/recording`, scope `calls:read`. A signed link that needs no key, lives 15 minutes and serves `Range`. 404 while there is no recording. */
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
      /** Send a message to a patient: `POST /v1/chat/messages`, scope `chat:write`. Answers the message in state `queued`. Free text outside the 24-hour window goes out wrapped in a marketing template; `meta.delivery_mode` says which product was used. */
      create: Method<'chat.messages.create', []>
      /** One message: `GET /v1/chat/messages/{id}`, scope `chat:read`. By the whole prefixed id (`in_…` or `out_…`). */
      get: Method<'chat.messages.get', [message_id: string]>
      media: {
        /** A link to a message's media: `GET /v1/chat/messages/{id}/media`, scope `chat:read`. A signed link that needs no key, lives 15 minutes and serves `Range`. 404 while there is none. */
        get: Method<'chat.messages.media.get', [message_id: string]>
      }
    }
    templates: {
      /** Message templates: `GET /v1/chat/templates`, scope `chat:read`. By name. Only approved ones unless `status` says otherwise. */
      list: Method<'chat.templates.list', []>
    }
  }
  metrics: {
    /** Describe the datasets: `GET /v1/metrics`, scope `analytics:read`. Measures, dimensions and filters of each dataset: what a query may name. What needs a scope that the key lacks is left out. */
    describe: Method<'metrics.describe', []>
  }
  query: {
    /** Run one aggregation: `POST /v1/query`, scope `analytics:read`. One GROUP BY over one dataset: rows, and totals over the whole filtered set. Describe the dataset first: a query names its measures, dimensions and filters. */
    run: Method<'query.run', []>
  }
  events: {
    /** The event feed: `GET /v1/events`, scope `webhooks:manage`. Every event once, in order. Without `cursor` and `since` it starts now; from then on send back `resume_cursor`. Any `chat.*` type needs `chat:read` too: left out where none is named. While `next_cursor` is not null more is to be read at once, also behind a page that has few rows or none. */
    list: Method<'events.list', []>
  }
  webhooks: {
    /** List subscriptions: `GET /v1/webhooks`, scope `webhooks:manage`. Every subscription of the clinic, secrets masked. */
    list: Method<'webhooks.list', []>
    /** Subscribe to events: `POST /v1/webhooks`, scope `webhooks:manage`. The signing secret is shown in this answer and never again. Any `chat.*` type needs `chat:read` too. */
    create: Method<'webhooks.create', []>
    /** One subscription: `GET /v1/webhooks/{id}`, scope `webhooks:manage`. By id, the secret masked. */
    get: Method<'webhooks.get', [webhook_id: string]>
    /** Delete a subscription: `DELETE /v1/webhooks/{id}`, scope `webhooks:manage`. Stops all future deliveries. */
    delete: Method<'webhooks.delete', [webhook_id: string]>
    deliveries: {
      /** The delivery log: `GET /v1/webhooks/{id}/deliveries`, scope `webhooks:manage`. Latest first: one row for each event, its attempts inside. */
      list: Method<'webhooks.deliveries.list', [webhook_id: string]>
      /** Retry a delivery now: `POST /v1/webhooks/{id}/deliveries/{delivery_id}/retry`, scope `webhooks:manage`. Attempts a `failed` or `pending` delivery within a second, past an open circuit, which a 2xx closes. Its schedule goes on as it was. One that has arrived, that is being attempted, or of a disabled subscription: 409. */
      retry: Method<'webhooks.deliveries.retry', [webhook_id: string, delivery_id: string]>
    }
    /** Replay a time range: `POST /v1/webhooks/{id}/replay`, scope `webhooks:manage`. Sends the events of a time range (at most 30 days back) again: those whose delivery failed, or all, also those from before the subscription was made. At most 50,000 at once. */
    replay: Method<'webhooks.replay', [webhook_id: string]>
    /** Send a test event: `POST /v1/webhooks/{id}/test`, scope `webhooks:manage`. Delivers the contract's example of an event type, marked `test: true`, within a second, past an open circuit. */
    test: Method<'webhooks.test', [webhook_id: string]>
  }
}
