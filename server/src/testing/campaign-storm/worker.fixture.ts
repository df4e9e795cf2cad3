import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openCampaignProduct } from "./open-product.ts";
import { readSetup, storyClock } from "./setup.ts";

// A worker of the product with fake lines and a fast clock, which writes what it sends to a file until it is killed.
const setup = readSetup(process.argv[2] ?? "");
const clock = storyClock(setup);
const product = await openCampaignProduct({
  ...setup,
  clock,
  onSend(connectionId, { waId, to, content }) {
    const text = content.kind === "text" ? content.text : "";
    const sent = { connectionId, waId, number: to.value, text, at: clock.now().getTime() };
    appendFileSync(setup.sentFile, `${JSON.stringify(sent)}\n`);
  },
});
process.stdout.write("working\n");
for (;;) {
  await product.drain();
  await sleep(10);
}
