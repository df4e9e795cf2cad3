import { isIPv6 } from "node:net";

/**
 * Rate-limit key of an address: an IPv4 address itself, an IPv6 address by its /64, the smallest block that a customer
 * gets. An IPv4-mapped address (`::ffff:192.0.2.1`) counts as IPv4.
 */
export function addressBlock(address: string): string {
  const bare = address.replace(/%.*$/, "");
  const groups = groupsOf(bare);
  if (!groups) {
    return bare;
  }
  const [high = 0, low = 0] = groups.slice(6);
  return isIPv4InIPv6(groups)
    ? [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".")
    : `${hexOf(groups.slice(0, 4))}::/64`;
}

/** The /48 of an IPv6 address, the largest block that a customer gets (RFC 6177); undefined for other addresses. */
export function addressSite(address: string): string | undefined {
  const groups = groupsOf(address.replace(/%.*$/, ""));
  return groups && !isIPv4InIPv6(groups) ? `${hexOf(groups.slice(0, 3))}::/48` : undefined;
}

function isIPv4InIPv6(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xff_ff;
}

const hexOf = (groups: readonly number[]) => groups.map((group) => group.toString(16)).join(":");

/** The eight groups of an IPv6 address in any notation; undefined for other text. */
function groupsOf(address: string): readonly number[] | undefined {
  if (!isIPv6(address)) {
    return undefined;
  }
  // A URL normalizes the address, without dots.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const [first, last] = [numbersIn(head), numbersIn(tail ?? "")];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - first.length - last.length }, () => 0);
  return [...first, ...zeros, ...last];
}

function numbersIn(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}
