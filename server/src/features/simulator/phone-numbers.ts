/** Area codes of large Brazilian cities, so that random numbers come from the whole country. */
const areaCodes = [11, 19, 21, 27, 31, 41, 47, 51, 61, 62, 71, 81, 85];

/** Owners' phones have landline numbers and customers mobile ones, so that they cannot collide. */
const ownerPrefix = "5511";
const ownerStart = 30_000_000;

/** The number of the phone that a connection is linked to: fixed, so that every QR links the same number. */
export function ownerNumber(connectionId: number): string {
  return `${ownerPrefix}${ownerStart + connectionId}`;
}

/** A mobile number of Brazil: 55, area code, 9 and eight digits. */
export function randomMobile(random: () => number): string {
  const area = areaCodes[Math.floor(random() * areaCodes.length)] ?? 11;
  // On the simulated network numbers that end in 0000 do not exist.
  const rest = 1_0001 + Math.floor(random() * 9_998);
  const middle = 6_000 + Math.floor(random() * 3_999);
  return `55${area}9${middle}${String(rest).slice(1)}`;
}

/** True if a customer may have this number. */
export function isCustomerNumber(number: string): boolean {
  return /^\d{10,15}$/.test(number) && !number.endsWith("0000") && !/^55\d{2}[2-5]\d{7}$/.test(number);
}
