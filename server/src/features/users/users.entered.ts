/**
 * SQL condition: the user was not invited, or has taken the invitation (U-01). Before that nobody has confirmed their address, which may
 * be mistyped and a stranger's. `userId`: the column with the id.
 */
export function hasEnteredSql(userId: string): string {
  return `not exists (select from invitations invited where invited.user_id = ${userId} and invited.accepted_at is null)`;
}
