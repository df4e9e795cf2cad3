/**
 * SQL of a count that triggers keep (decision 0181): of the tickets of a tag, whose id `of` is, or of the company's contacts,
 * where it is 0.
 */
export function keptCountSql(counted: "tag" | "contacts", of: string): string {
  return `(
    select coalesce(sum(n), 0)::int from kept_counts
    where company_id = (select nullif(current_setting('app.company_id'), '')::int) and counted = '${counted}' and of_id = ${of})`;
}
