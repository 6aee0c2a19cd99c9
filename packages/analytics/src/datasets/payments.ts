// Dataset `payments`.
import { type Statement, sql } from '@clinic-data/database'
import { type DatasetSql, joined, type MeasureSql } from '../dataset-sql.ts'
import { day, entity, filterBy, patientOf, word, yesOrNo } from '../dimension-sql.ts'
import { type AmountSql, average, count, distinct, money, sum } from '../measure-sql.ts'
import { CURRENCY } from '../parameters.ts'

const isPayment = sql`not t.is_refund`
const isRefund = sql`t.is_refund`
const isOwnCurrency = sql`t.currency = ${CURRENCY}`
const net = (amount: AmountSql) => sql`case when t.is_refund then -1 else 1 end * ${amount('amount')}`

/** Amounts of different currencies are never added: only rows of one currency hold others than the clinic's. */
function inOneCurrency(measure: (only: Statement) => MeasureSql, only: Statement): MeasureSql {
  return { ...measure(sql`${only} and ${isOwnCurrency}`), apart: { by: 'currency', measure: measure(only) } }
}

const dimensions: DatasetSql<'payments'>['dimensions'] = {
  method: word(sql`t.method_type`),
  billing_account: entity(sql`t.billing_account_id`, 'billing_account', 'business_name'),
  patient: patientOf(sql`t.patient_id`, joined('patient', 'p', sql`t.patient_id`)),
  currency: word(sql`t.currency`),
  is_refund: yesOrNo(isRefund),
  payment_date: day(sql`t.paid_date`),
}

export const payments: DatasetSql<'payments'> = {
  from: sql`payment t`,
  where: sql`t.status = 'recorded'`,
  date: sql`t.paid_date`,
  measures: {
    amount_collected: inOneCurrency((only) => money((of, unit) => sum(of('amount'), unit, { only })), isPayment),
    amount_refunded: inOneCurrency((only) => money((of, unit) => sum(of('amount'), unit, { only })), isRefund),
    net_collected: inOneCurrency((only) => money((of, unit) => sum(net(of), unit, { only })), sql`true`),
    avg_payment: inOneCurrency((only) => money((of, unit) => average(of('amount'), unit, { only })), isPayment),
    payment_count: count({ only: isPayment }),
    refund_count: count({ only: isRefund }),
    paying_patient_count: distinct(sql`case when not t.is_refund then t.patient_id end`),
    other_currency_count: count({ only: sql`not (${isOwnCurrency})` }),
  },
  dimensions,
  filters: {
    method: filterBy(dimensions.method),
    billing_account: filterBy(dimensions.billing_account),
    is_refund: filterBy(dimensions.is_refund),
  },
}
