import { expect, test } from "vitest";
import { contactResolver, createIngest } from "#server/features/inbound/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import { asOwner, askAsOwner } from "#server/testing/as-owner.ts";
import { aCompany, aConnection } from "#server/testing/factories.ts";
import type { LineEvent } from "#server/whatsapp/port.ts";
import { createDriverHost } from "./driver-host.ts";

const message = (waId: string, body: string, phone: string): LineEvent => ({
  type: "message",
  message: {
    waId,
    chat: { kind: "phone", value: phone },
    person: { phone, lid: null },
    fromMe: false,
    participant: null,
    pushName: "Maria",
    at: new Date(),
    isOffline: false,
    quotedWaId: null,
    content: { kind: "text", text: body },
  },
});

test("a message whose activity PostgreSQL refuses, in flight, is quarantined, and does not stop its line (W-08)", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  const company = await aCompany(app);
  const { id: connectionId } = await aConnection(company);
  const lease = { connection_id: connectionId, company_id: company.id, owner: "me" };
  await app.db.system
    .insertInto("line_leases")
    .values({ ...lease, leased_until: new Date("2100-01-01") })
    .execute();
  const { url } = app.database;
  // Stands for whatever makes this statement fail by its data (class 22).
  await asOwner(
    url,
    `create function refuse_activity() returns trigger language plpgsql as $$ begin
       if new.last_message = 'poison' then raise exception 'planned' using errcode = '22003'; end if; return new; end $$`,
    "create trigger refuse_activity before update on tickets for each row execute function refuse_activity()",
  );
  const host = createDriverHost({
    services: app.services,
    companyId: company.id,
    connectionId,
    round: 0,
    owner: "me",
    ingest: createIngest({ vault: app.services.vault, contacts: contactResolver, isSilent: true }),
    onTyping: () => undefined,
    onStateChange: () => undefined,
    onEnded: () => undefined,
    onLeaseLost: () => undefined,
  });
  await host.commit([{ kind: "event", event: message("A", "oi", "5511988887777") }]);
  const batch = [message("B", "poison", "5511988887777"), message("C", "later", "5511988886666")].map((event) => ({
    kind: "event" as const,
    event,
  }));
  for (let tries = 0; tries < 12; tries += 1) {
    if (
      await host.commit(batch).then(
        () => true,
        () => false,
      )
    ) {
      break;
    }
  }
  const stored = await askAsOwner<{ wa_id: string }>(url, "select wa_id from messages order by id");
  expect(stored.map(({ wa_id: id }) => id)).toEqual(["A", "B", "C"]);
});
