import { connections } from "@prosa/contract";
import type { Connection } from "@prosa/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aUser } from "#server/testing/factories.ts";
import { changeState, columnsOfState } from "../connections.state.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe("the session (W-04)", () => {
  test("start, renew and stop change the desired state of the line (W-04)", async () => {
    const company = await aCompany(app);
    const { id } = await aConnection(company);
    const admin = app.as(company.admin);
    const desired = () =>
      app.db.system
        .selectFrom("connections")
        .select(["wanted", "session_round", "pairing_number"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow();

    await admin.call(connections.stop, { params: { id } });
    expect(await desired()).toMatchObject({ wanted: "down", session_round: 1 });
    await admin.call(connections.start, { params: { id }, body: { number: "+55 (11) 98888-7777" } });
    expect(await desired()).toMatchObject({ wanted: "up", session_round: 1, pairing_number: "5511988887777" });
    await admin.call(connections.renew, { params: { id } });
    expect(await desired()).toMatchObject({ wanted: "up", session_round: 2, pairing_number: null });
  });

  test("a state writes what is true of it and clears what is not (W-05)", () => {
    expect(columnsOfState({ status: "qrcode", qr: "2@abc" })).toMatchObject({
      qrcode: "2@abc",
      pairing_code: "",
      reason: null,
    });
    expect(columnsOfState({ status: "CONNECTED", number: "5511", lid: "9" })).toMatchObject({
      qrcode: "",
      number: "5511",
      retries: 0,
    });
    expect(columnsOfState({ status: "DISCONNECTED", reason: "loggedOut", detail: "" })).toMatchObject({
      status: "DISCONNECTED",
      reason: "loggedOut",
      qrcode: "",
      pairing_code: "",
      pairing_expires_at: null,
    });
  });

  test("admins receive the QR live; agents only the status (W-03)", async () => {
    const company = await aCompany(app);
    const agent = await aUser(company);
    const line = await aConnection(company);
    const [desk, office] = [await app.connect(agent), await app.connect(company.admin)];

    await company.inside((ctx) => changeState(ctx, line.id, { status: "qrcode", qr: "2@secret" }));
    await app.settle();

    const event = `company-${company.id}-whatsappSession`;
    const update = (await office.next(event)).payload as { session: Connection };
    expect(update).toMatchObject({ action: "update", session: { id: line.id, status: "qrcode", qrcode: "2@secret" } });
    expect((await desk.next(event)).payload).toMatchObject({ session: { status: "qrcode", qrcode: "" } });
    await desk.flushed();
    expect(JSON.stringify(desk.packets)).not.toContain("2@secret");
    const read = await app.as(agent).call(connections.get, { params: { id: line.id } });
    expect(read.body).toMatchObject({ status: "qrcode", qrcode: "" });

    await company.inside((ctx) =>
      changeState(ctx, line.id, { status: "CONNECTED", number: "5511999990000", lid: null }),
    );
    await app.settle();
    expect((await office.next(event)).payload).toMatchObject({
      session: { status: "CONNECTED", qrcode: "", number: "5511999990000" },
    });
    desk.close();
    office.close();
  });

  test("a line whose number was refused is published anew when the line that has it is stopped or deleted (W-03)", async () => {
    const company = await aCompany(app);
    const [holder, refused] = [await aConnection(company, { name: "Loja" }), await aConnection(company)];
    const number = "5511999990001";
    await company.inside(async (ctx) => {
      await changeState(ctx, holder.id, { status: "CONNECTED", number, lid: null });
      await changeState(ctx, refused.id, { status: "DISCONNECTED", reason: "sameNumber", detail: number });
    });
    await app.settle();
    const admin = app.as(company.admin);
    const office = await app.connect(company.admin);
    const lastHeard = async () => {
      await app.settle();
      await office.flushed();
      const updates = office.packets.map(({ payload }) => (payload as { whatsapp?: Connection }).whatsapp);
      return updates.findLast((line) => line?.id === refused.id)?.numberHolder;
    };

    await admin.call(connections.stop, { params: { id: holder.id } });
    expect(await lastHeard()).toBeNull();
    await company.inside((ctx) => changeState(ctx, holder.id, { status: "CONNECTED", number, lid: null }));
    expect(await lastHeard()).toBe("Loja");
    await admin.call(connections.remove, { params: { id: holder.id } });
    expect(await lastHeard()).toBeNull();
    office.close();
  });
});
