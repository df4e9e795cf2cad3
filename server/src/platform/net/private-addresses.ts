import { lookup as lookUpName } from "node:dns";
import { BlockList, isIP, isIPv6 } from "node:net";
import type { LookupFunction } from "node:net";
import { AppError } from "../ctx.ts";

/** Networks that the internet has no business in, so nothing that a user names stands there (RFC 6890). */
const ranges = [
  ["0.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["127.0.0.0", 8, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.0.0.0", 24, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["198.18.0.0", 15, "ipv4"],
  ["224.0.0.0", 3, "ipv4"],
  ["::", 127, "ipv6"],
  ["64:ff9b::", 96, "ipv6"],
  ["2002::", 16, "ipv6"],
  ["fc00::", 7, "ipv6"],
  ["fe80::", 10, "ipv6"],
  ["ff00::", 8, "ipv6"],
] as const;

const blocked = new BlockList();
ranges.forEach(([address, bits, family]) => blocked.addSubnet(address, bits, family));

export class PrivateAddressError extends Error {
  override readonly name = "PrivateAddressError";
}

export function isPrivate(address: string): boolean {
  return blocked.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** Is the host of a URL an address of a private network? Names are judged when they are resolved. */
export function isPrivateHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return isIP(bare) === 0 ? /(^|\.)(localhost|local|internal)\.?$/i.test(bare) : isPrivate(bare);
}

/** Throws ERR_VALIDATION for a field that names an address in a private network; empty and absent are no address. */
export function refusePrivateAddress(field: string, address: string | undefined): void {
  if (address && isPrivateHost(new URL(address).hostname)) {
    throw new AppError("ERR_VALIDATION", { fields: { [field]: "Private address" } });
  }
}

/** Resolves a name and refuses it if any of its addresses is private: the connection then goes to what was judged. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookUpName(hostname, { ...options, all: true }, (error, addresses) => {
    const found = addresses ?? [];
    const inside = found.find(({ address }) => isPrivate(address));
    const [first] = found;
    if (error || inside || !first) {
      callback(error ?? new PrivateAddressError(`${hostname} is in a private network`), []);
    } else if (options.all) {
      callback(null, found);
    } else {
      callback(null, first.address, first.family);
    }
  });
};
