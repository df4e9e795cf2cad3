import { expect, test } from "vitest";
import { cacheUnknownLids } from "./lid-lookup-cache.ts";

const ana = "5511988880001@s.whatsapp.net";
const bia = "5511988880002@s.whatsapp.net";

/** The library's own store, as far as it is asked. */
function aMapping() {
  const asked: string[][] = [];
  const lids = new Map<string, string>();
  const mapping = {
    async getLIDsForPNs(numbers: string[]) {
      asked.push(numbers);
      const pairs = numbers.flatMap((pn) => (lids.has(pn) ? [{ pn, lid: lids.get(pn)! }] : []));
      return pairs.length > 0 ? pairs : null;
    },
    async storeLIDPNMappings(pairs: { lid: string; pn: string }[]) {
      pairs.forEach(({ lid, pn }) => lids.set(pn, lid));
    },
  };
  cacheUnknownLids(mapping);
  return { mapping, asked };
}

test("an unknown LID is looked up once, for all devices of the number (W-10)", async () => {
  const { mapping, asked } = aMapping();
  expect(await mapping.getLIDsForPNs([ana])).toBeNull();
  expect(await mapping.getLIDsForPNs([ana.replace("@", ":3@")])).toBeNull();
  expect(await mapping.getLIDsForPNs([ana, bia])).toBeNull();
  expect(asked).toEqual([[ana], [bia]]);
});

test("a LID that becomes known counts at once (W-10)", async () => {
  const { mapping } = aMapping();
  await mapping.getLIDsForPNs([ana]);
  await mapping.storeLIDPNMappings([{ pn: ana, lid: "230968350587138@lid" }]);
  expect(await mapping.getLIDsForPNs([ana])).toEqual([{ pn: ana, lid: "230968350587138@lid" }]);
});
