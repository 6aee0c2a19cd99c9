// Records a payment for an invoice of another system. The invoice's number is the idempotency key: after a crash or a broken
// connection, run it again, and there is still one payment with one receipt.
//
//   node record-payment.mjs p1042 350 invoice-2041
import { ClinicDataClient, ConnectionError, UnprocessableError } from '@clinic-data/client'

const { SC_API_KEY: apiKey, SC_BASE_URL: baseUrl } = process.env
const client = new ClinicDataClient({ apiKey, baseUrl })
const [patient_id = '', amount = '', invoice = ''] = process.argv.slice(2)

try {
  const { data: accounts } = await client.catalog.billing_accounts.list()
  const { data: payment } = await client.payments.create(
    patient_id,
    {
      amount: Number(amount),
      method_type: 'bank_transfer',
      description: invoice,
      ...(accounts[0] && { billing_account_id: accounts[0].id }),
    },
    { idempotencyKey: invoice },
  )
  console.log(
    payment.id,
    payment.amount,
    payment.currency,
    payment.documents.map(({ type, number }) => `${type} ${number}`),
  )
} catch (error) {
  // The payment may or may not have been recorded. Run the same command again to find out.
  if (error instanceof ConnectionError)
    console.error('it is not known whether the payment was recorded; run this again:', error.message)
  else if (error instanceof UnprocessableError) console.error('refused:', error.message, error.request_id)
  else throw error
  process.exitCode = 1
}
