import type { SessionUser } from "@prosa/contract/auth";
import type { User } from "@prosa/contract/users";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { usersRealtime } from "./users.api.ts";

const marina: User = {
  id: 1,
  name: "Marina",
  email: "marina@example.com",
  profile: "user",
  allTicket: "desabled",
  whatsappId: null,
  super: false,
  companyId: 7,
  online: false,
  queues: [{ id: 3, name: "Vendas", color: "#1f7ae0" }],
  invitation: null,
};
const listKey = ["users", "list", { searchParam: "" }];

function aScreen() {
  const queryClient = new QueryClient();
  queryClient.setQueryData(listKey, { pages: [{ items: [marina], count: 1, hasMore: false }], pageParams: [1] });
  queryClient.setQueryData(["users", "lookup"], [marina]);
  const rows = () => queryClient.getQueryData<{ pages: { items: User[] }[] }>(listKey)?.pages[0]?.items;
  return { queryClient, rows, isStale: () => queryClient.getQueryState(listKey)?.isInvalidated };
}
const admin = {} as SessionUser;

test("presence patches row and picker without a fetch (U-04)", () => {
  const { queryClient, rows, isStale } = aScreen();
  usersRealtime.presence?.({ action: "update", user: { id: 1, online: true } }, queryClient, admin);
  expect([rows(), isStale()]).toEqual([[{ ...marina, online: true }], false]);
  expect(queryClient.getQueryData(["users", "lookup"])).toEqual([{ ...marina, online: true }]);
});

test("a changed user is shown at once, and the lists are fetched for their order (U-01)", () => {
  const { queryClient, rows, isStale } = aScreen();
  const renamed = { ...marina, name: "Marina Luz", email: "luz@example.com" };
  usersRealtime.user?.({ action: "update", user: renamed }, queryClient, admin);
  expect([rows(), isStale()]).toEqual([[renamed], true]);
});

test("a queue that is deleted or renamed is so in the rows and among the choices (Q-01, U-02)", () => {
  const { queryClient, isStale } = aScreen();
  queryClient.setQueryData(["queues", "lookup"], []);
  usersRealtime.queue?.({ action: "delete", queueId: 3 }, queryClient, admin);
  expect([isStale(), queryClient.getQueryState(["queues", "lookup"])?.isInvalidated]).toEqual([true, true]);
});

test("a user without e-mail, as colleagues get it, does not replace a whole row (U-01)", () => {
  const { queryClient, rows, isStale } = aScreen();
  const { id, profile, online, queues } = marina;
  usersRealtime.user?.({ action: "update", user: { id, name: "X", profile, online, queues } }, queryClient, admin);
  expect([rows(), isStale()]).toEqual([[marina], true]);
});
