import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aContact, aUser } from "#server/testing/factories.ts";

let app: TestApp;
beforeAll(async () => (app = await createTestApp()));
afterAll(() => app.close());

test("export is contatos.csv by name, with semicolons, harmless to spreadsheets, without groups (C-04)", async () => {
  const company = await aCompany(app);
  await aContact(company, { name: "=HYPERLINK(1)", number: "5511987650001", email: "mal@example.com" });
  await aContact(company, { name: "Silva; Filhos", number: "5511987650002" });
  const group = await aContact(company, { name: "Grupo", number: "120363000001" });
  await company.inside(({ db }) => sql`update contacts set is_group = true where id = ${group.id}`.execute(db));
  const answer = await app.as(await aUser(company)).get("/contacts/export");
  expect(answer.headers["content-disposition"]).toContain('filename="contatos.csv"');
  expect(answer.text).toBe(
    '\uFEFFname;number;email\r\n\'=HYPERLINK(1);5511987650001;mal@example.com\r\n"Silva; Filhos";5511987650002;\r\n',
  );
});

test("a stranger cannot export (C-04)", async () => {
  expect((await app.as(undefined).get("/contacts/export")).status).toBe(401);
});
