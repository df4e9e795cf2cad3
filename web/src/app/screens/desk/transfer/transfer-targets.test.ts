import type { TransferTarget } from "@prosa/contract/tickets";
import { expect, test } from "vitest";
import { matchTargets, queueFor, targetName } from "./transfer-targets.ts";

const [sales, support] = [
  { id: 1, name: "Vendas", color: "#1f7ae0" },
  { id: 2, name: "Suporte", color: "#c2410c" },
];
let id = 0;
const person = (name: string, change: Partial<TransferTarget> = {}): TransferTarget => ({
  id: (id += 1),
  name,
  profile: "user",
  online: true,
  queues: [sales!],
  openTickets: 0,
  ...change,
});
const ticket = { status: "open", userId: 99, queueId: 1 } as const;
const names = (targets: readonly Parameters<typeof targetName>[0][]) => targets.map(targetName);

test("people who can take it at once come first (T-14)", () => {
  const users = [
    person("Ana", { online: false }),
    person("Bruno", { queues: [support!] }),
    person("Carla", { openTickets: 4 }),
    person("Danilo", { openTickets: 1 }),
  ];
  expect(names(matchTargets(ticket, users, [], "").people)).toEqual(["Danilo", "Carla", "Bruno", "Ana"]);
});

test("people and queues are found by a part of the name, without accents; the owner is left out (T-14)", () => {
  const users = [person("José Vidal"), person("Eva"), { ...person("Vera"), id: 99 }];
  const all = matchTargets(ticket, users, [sales!, support!], "JOSE");
  expect([names(all.people), names(all.queues)]).toEqual([["José Vidal"], []]);
  const both = matchTargets(ticket, users, [sales!, support!], "v");
  expect([names(both.people), names(both.queues)]).toEqual([["José Vidal", "Eva"], ["Vendas"]]);
  expect(names(matchTargets({ ...ticket, status: "pending", userId: null }, users, [sales!], "").queues)).toEqual([]);
});

test("a person gets the ticket in its queue, else in their first, else where it is (T-14)", () => {
  expect(queueFor(person("Ana", { queues: [support!, sales!] }), ticket)).toBe(1);
  expect(queueFor(person("Ana", { queues: [support!] }), ticket)).toBe(2);
  expect(queueFor(person("Ana", { queues: [] }), ticket)).toBeNull();
});
