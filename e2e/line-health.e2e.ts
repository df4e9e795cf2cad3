import { simulator } from "@prosa/contract";
import { connectLine, createUser, uniqueName } from "./support/api.ts";
import { accessibilityViolations } from "./support/axe.ts";
import { expect, test } from "./support/journey.ts";

test("the health of a line is a plain sentence, live, with its days and what happened (P-04)", async ({
  admin,
  at,
}) => {
  const line = await connectLine(admin, uniqueName("Linha saudável"));
  const params = { id: line.id };
  const office = await at(await createUser(admin, uniqueName("Célia"), { profile: "admin" }));
  await office.goto("/connections");
  const row = office.getByRole("row", { name: new RegExp(line.name) });
  await expect(row).toContainText("Sem restrições.");

  await test.step("the simulator's phone limits new conversations", async () => {
    const phone = await at(await createUser(admin, uniqueName("Nilo"), { profile: "admin" }));
    await phone.goto(`/simulator/${line.id}`);
    await phone.getByRole("button", { name: "Limitar novas conversas" }).click();
    await expect(phone.getByText(/Novas conversas limitadas até \d\d:\d\d/)).toBeVisible();
  });
  await expect(row).toContainText(
    /O WhatsApp limitou novas conversas até .*\d\d:\d\d\. Respostas a quem escreveu continuam\./,
  );

  await row.getByRole("button", { name: "Saúde da linha" }).click();
  const dialog = office.getByRole("dialog", { name: `Saúde da linha · ${line.name}` });
  await expect(dialog).toContainText("Motivo: a qualidade das conversas");
  await expect(dialog.getByRole("region", { name: "O que aconteceu" })).toContainText("Novas conversas limitadas");
  await expect(dialog).toContainText("Nenhuma recusa, falha ou queda nestes dias.");

  await test.step("a lost connection is counted while the dialog is open", async () => {
    await admin.call(simulator.fault, { params, body: { kind: "drop" } });
    await expect(dialog).toContainText("A conexão caiu");
    await expect(dialog.locator(".recharts-bar-rectangle").first()).toBeVisible();
    await dialog.getByText("Ver como tabela").click();
    await expect(dialog.getByRole("table")).toContainText("Quedas");
  });
  expect(await accessibilityViolations(office, "light", "[role=dialog]")).toEqual([]);
  expect(await accessibilityViolations(office, "dark", "[role=dialog]")).toEqual([]);

  await admin.call(simulator.limit, { params, body: { kind: "lift" } });
  await expect(dialog).toContainText("Novas conversas liberadas");
  await office.keyboard.press("Escape");
  await expect(row).toContainText("Sem restrições.");
  await admin.call(simulator.limit, { params, body: { kind: "cap", used: 80, total: 100 } });
  await expect(row).toContainText("Perto do limite de novas conversas: 80 de 100 neste ciclo.");

  for (const width of [360, 768, 1366, 1920]) {
    await office.setViewportSize({ width, height: 900 });
    const overflow = () => office.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await expect.poll(overflow, `at ${width} px`).toBeLessThanOrEqual(0);
  }
});
