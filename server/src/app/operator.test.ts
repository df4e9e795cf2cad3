import { expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import { findOperatorEmail, createOperator } from "./operator.ts";

const operator = { company: "Casa", email: "chefe@example.com", password: "long enough" };

test("the company of setup is due a year ahead, in its own time zone, and signs in until then (Z-05)", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  // still the 31st in São Paulo
  await createOperator(app.db, operator, new Date("2028-02-01T01:30:00Z"));
  const { email, password } = operator;
  const { body } = await app.as(undefined).post<{ user: unknown }>("/auth/login", { email, password });
  expect(body.user).toMatchObject({ company: { dueDate: "2029-01-31", trialExpiration: null } });
});

test("setup makes one operator, who signs in; repeated, also at once, it changes nothing", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  expect(await findOperatorEmail(app.db)).toBeUndefined();
  const made = await Promise.allSettled([createOperator(app.db, operator), createOperator(app.db, operator)]);
  expect(made.filter((one) => one.status === "fulfilled" && one.value)).toHaveLength(1);
  expect(await createOperator(app.db, { ...operator, email: "other@example.com" })).toBe(false);
  expect(await findOperatorEmail(app.db)).toBe("chefe@example.com");

  const { status, body } = await app
    .as(undefined)
    .post<{ user: unknown }>("/auth/login", { email: operator.email, password: operator.password });
  expect([status, body.user]).toMatchObject([200, { super: true, company: { name: "Casa" } }]);
});
