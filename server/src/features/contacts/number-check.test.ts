import { expect, test } from "vitest";
import { testLog } from "#server/testing/database.ts";
import { SendError } from "#server/whatsapp/port.ts";
import { checkNumberByLine } from "./number-check.ts";

const actor = { kind: "system", companyId: 1, reason: "test" } as const;
const number = "5511987651234";

/** Checks the number on a line that answers with these people, or throws this error. */
function check(answer: readonly unknown[] | Error) {
  const ask = async () => {
    if (answer instanceof Error) {
      throw answer;
    }
    return answer as never;
  };
  return checkNumberByLine({ log: testLog }, () => ({ call: ask }))(actor, 1, number);
}

test("a number is a person on WhatsApp, or null (C-02)", async () => {
  const person = { phone: "551187651234", lid: null };
  expect([await check([[number, person]]), await check([])]).toEqual([person, null]);
});

test("without a connected line the number is taken as written (C-02)", async () => {
  expect(await check(new SendError("notConnected", true))).toBeUndefined();
});

test.each([
  ["in time", new SendError("timeout", true)],
  ["at all", new Error("Timed Out")],
])(
  "a connected line that does not answer %s says that the number could not be checked (C-02, E-01)",
  async (_, error) => {
    await expect(check(error)).rejects.toMatchObject({ code: "ERR_WAPP_CHECK_CONTACT", details: { number } });
  },
);
