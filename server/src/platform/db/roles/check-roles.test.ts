import { expect, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import { ConfigError } from "../../config/index.ts";
import { checkRoles } from "./check-roles.ts";

test("connections run under their roles, and a pooler that drops these is refused in a sentence", async () => {
  const { db } = await createTestDatabase({ closeAfterTest: true });
  await checkRoles(db);

  const asOwner = async <Row>() => [{ role: "postgres" }] as Row[];
  await expect(checkRoles({ systemRaw: asOwner, readOne: asOwner })).rejects.toThrow(ConfigError);
  await expect(checkRoles({ systemRaw: db.systemRaw, readOne: asOwner })).rejects.toThrow(
    "statements run as prosa_system and postgres",
  );
});
