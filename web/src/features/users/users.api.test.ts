import type { User } from "@prosa/contract/users";
import { expect, test } from "vitest";
import { isOnlyPresence } from "./users.api.ts";

const marina: User = {
  id: 1,
  name: "Marina",
  email: "marina@example.com",
  profile: "user",
  allTicket: "desabled",
  whatsappId: null,
  super: false,
  online: false,
  queues: [{ id: 3, name: "Vendas", color: "#1f7ae0" }],
};

test.each([
  [{ online: true }, true],
  [{ online: false }, false],
  [{ online: true, name: "Marina Luz" }, false],
  [{ online: true, profile: "admin" as const }, false],
  [{ online: true, queues: [] }, false],
])("an event with %j patches the row alone: %s (U-01, U-04)", (change, isPatch) => {
  expect(isOnlyPresence(marina, { ...marina, ...change })).toBe(isPatch);
});
