import { webhooks } from "@prosa/contract";
import { expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import { aCompany } from "#server/testing/factories.ts";
import { noteFailing } from "./deliver.queries.ts";

test("the first failure of an endpoint is told from later ones, however the clock runs on meanwhile (V-06)", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  const { admin } = await aCompany(app);
  const { companyId } = admin;
  const made = await app.as(admin).call(webhooks.create, {
    body: { url: "https://receiver.example.com/in", events: ["ticket.created"] },
  });
  let time = Date.parse("2026-11-25T12:00:00Z");
  const clock = { now: () => new Date((time += 1)) };
  const note = () =>
    app.db.inCompany(
      { actor: { kind: "system", companyId, reason: "test" }, companyId, log: app.database.log, clock },
      (ctx) => noteFailing(ctx, made.body.id),
    );

  const first = await note();
  expect(first).toMatchObject({ isNew: true });
  expect(await note()).toEqual({ since: first?.since, isNew: false });
});
