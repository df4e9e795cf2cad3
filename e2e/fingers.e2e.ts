/** The conversation on a touch screen, which has no hover. */
import type { Locator, Page } from "@playwright/test";
import { uniqueName, createUser } from "./support/api.ts";
import { acceptByTouch, bubble } from "./support/desk.ts";
import { expect, test } from "./support/journey.ts";

test("a message offers what can be done with it to a finger that rests, and shows no button until then (S-11, M-09)", async ({
  at,
  admin,
  customer,
}) => {
  await customer.says("Segura em mim");
  const page = await at(await createUser(admin, uniqueName("Dedo")), { width: 360, hasTouch: true });
  await acceptByTouch(page, customer.name);
  const message = bubble(page, "Segura em mim");
  const button = message.getByRole("button", { name: "Ações da mensagem" });
  await expect(button).toBeAttached();
  expect(await page.evaluate(() => matchMedia("(hover: none)").matches)).toBe(true);
  await expect(button).toHaveCSS("opacity", "0");

  const finger = await aFingerOn(page, message.getByText("Segura em mim"));
  await finger.rests();
  await expect(message.locator("[data-held]")).toBeVisible();
  await finger.lifts();
  await expect(page.getByRole("menuitem", { name: "Responder" })).toBeVisible();
  await page.getByRole("menuitem", { name: "Responder" }).tap();
  await expect(page.getByRole("button", { name: "Cancelar", exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Cancelar", exact: true }).tap();
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Copiar" })).toBeVisible();
});

/** Raw touch events, so that the browser handles them like a person's. */
async function aFingerOn(page: Page, target: Locator) {
  const { x, y } = (await target.boundingBox())!;
  const screen = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
    screen.send("Input.dispatchTouchEvent", { type, touchPoints });
  return {
    rests: () => touch("touchStart", [{ x: x + 10, y: y + 5 }]),
    lifts: () => touch("touchEnd", []),
  };
}
