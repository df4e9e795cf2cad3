import { lookup as lookUpName } from "node:dns";
import { BlockList, isIP, isIPv6 } from "node:net";
import type { LookupFunction } from "node:net";
import { AppError } from "../ctx.ts";

/** Special-purpose networks (RFC 6890), refused for URLs that users enter (SSRF). */
const ranges4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Metadata service of Azure; those of other clouds are in 169.254.
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const;

const ranges6 = [
  // IPv6 forms of IPv4 addresses. For 64:ff9b::/96 see below.
  ["::", 96],
  ["::ffff:0:0:0", 96],
  ["64:ff9b:1::", 48],
  ["2001::", 23],
  ["2002::", 16],
  ["100::", 64],
  ["2001:db8::", 32],
  ["3fff::", 20],
  ["5f00::", 16],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8],
] as const;

const blocked = new BlockList();
ranges4.forEach(([address, bits]) => {
  blocked.addSubnet(address, bits, "ipv4");
  // NAT64 maps every IPv4 address into this prefix (RFC 6052), so the embedded address is checked.
  blocked.addSubnet(`64:ff9b::${address}`, 96 + bits, "ipv6");
});
ranges6.forEach(([address, bits]) => blocked.addSubnet(address, bits, "ipv6"));

export class PrivateAddressError extends Error {
  override readonly name = "PrivateAddressError";
}

export function isPrivate(address: string): boolean {
  return blocked.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** Host names of private networks (RFC 6762, 8375, and common ones), and names without a dot. */
const privateName = /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$|^[^.]*$/i;

/** Is the host of a URL private? Other names are checked when they are resolved (`publicLookup`). */
export function isPrivateHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
  return isIP(bare) === 0 ? privateName.test(bare) : isPrivate(bare);
}

/** Ports of services with text protocols, to which an HTTP request could smuggle commands. */
const servicePorts = new Set([
  1433, 1521, 2049, 2181, 2375, 2376, 2379, 3306, 3389, 5432, 5672, 5984, 5985, 6000, 6379, 6443, 6667, 7001, 9042,
  9092, 9200, 9300, 10250, 11211, 15432, 27017,
]);

/**
 * Refuses URLs that the server must not call for a user: private networks, embedded credentials (logs would contain
 * them), and ports of other services.
 */
export function isRefusedUrl({ hostname, username, password, port }: URL): boolean {
  const isWebPort =
    port === "" || port === "80" || port === "443" || (Number(port) >= 1024 && !servicePorts.has(Number(port)));
  return username !== "" || password !== "" || !isWebPort || isPrivateHost(hostname);
}

/** Throws ERR_VALIDATION for a field with a refused URL; empty and absent are allowed. */
export function refusePrivateAddress(field: string, address: string | undefined): void {
  if (address && isRefusedUrl(new URL(address))) {
    throw new AppError("ERR_VALIDATION", { fields: { [field]: "Private address" } });
  }
}

/** DNS lookup that fails when any address is private. Used by the connection itself, so that the checked address is the one used. */
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
