import type { Webhook } from "@prosa/contract/webhooks";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { newestOf } from "./webhooks.api.ts";

const opened: Webhook = {
  id: 3,
  url: "https://loja.example/in",
  description: "",
  events: ["message.created"],
  isActive: true,
  switchedOff: null,
  failingSince: null,
  createdAt: "2026-11-28T12:00:00.000Z",
};

test("an endpoint is known as the list has it now, and as its form opened while no list has it (V-06)", () => {
  const queryClient = new QueryClient();
  expect(newestOf(queryClient, opened)).toBe(opened);
  queryClient.setQueryData(["webhooks", "deliveries", 3], { pages: [{ deliveries: [], hasMore: false }] });
  expect(newestOf(queryClient, opened)).toBe(opened);
  const changed = { ...opened, events: ["message.created", "ticket.created"] };
  queryClient.setQueryData(["webhooks", "list", {}], { pages: [{ items: [changed], count: 1, hasMore: false }] });
  expect(newestOf(queryClient, opened)).toBe(changed);
});
