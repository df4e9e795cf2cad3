/** Formats of phone numbers. */

/** Brazilian numbers as people write them; others with their plus sign. */
export function phoneText(number: string): string {
  const parts = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(number);
  if (parts) {
    return `+55 ${parts[1]} ${parts[2]}-${parts[3]}`;
  }
  return /^\d{8,15}$/.test(number) ? `+${number}` : number;
}
