/**
 * SQL of the moment from which a company of this alias is overdue: after its due date and the operator's days of grace, in its time zone
 * . Null without a due date.
 */
export function overdueFromSql(company: string): string {
  return `(${company}.due_date + 1 + (select grace_days from billing_settings))::timestamp at time zone ${company}.time_zone`;
}
