import { expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import { findOperatorEmail, createOperator } from "./operator.ts";

test("setup makes one operator, who signs in; repeated, also at once, it changes nothing", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  expect(await findOperatorEmail(app.db)).toBeUndefined();
  const operator = { company: "Casa", email: "chefe@example.com", password: "long enough" };
  const made = await Promise.allSettled([createOperator(app.db, operator), createOperator(app.db, operator)]);
  expect(made.filter((one) => one.status === "fulfilled" && one.value)).toHaveLength(1);
  expect(await createOperator(app.db, { ...operator, email: "other@example.com" })).toBe(false);
  expect(await findOperatorEmail(app.db)).toBe("chefe@example.com");

  const { status, body } = await app
    .as(undefined)
    .post<{ user: unknown }>("/auth/login", { email: operator.email, password: operator.password });
  expect([status, body.user]).toMatchObject([200, { super: true, company: { name: "Casa", dueDate: null } }]);
});
