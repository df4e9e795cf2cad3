import { parseArgs } from "node:util";
import { pino } from "pino";
import { serveControl } from "./control/index.ts";
import { WaSim } from "./sim.ts";

// libsignal logs replaced sessions with their private keys; stdout is for the ready line only
for (const name of ["debug", "error", "info", "log", "warn"] as const) {
  console[name] = () => undefined;
}

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    "media-port": { type: "string", default: "0" },
    "control-port": { type: "string", default: "0" },
    state: { type: "string" },
    token: { type: "string", default: process.env["WA_SIM_TOKEN"] ?? "" },
    "auto-create-persons": { type: "boolean", default: false },
    "log-level": { type: "string", default: "warn" },
  },
});

if (values.token === "") {
  process.stderr.write("A control token is needed: --token or WA_SIM_TOKEN.\n");
  process.exit(2);
}

const sim = await WaSim.start({
  port: Number(values.port),
  mediaPort: Number(values["media-port"]),
  autoCreatePersons: values["auto-create-persons"],
  log: pino({ level: values["log-level"] }, pino.destination(2)),
  ...(values.state === undefined ? {} : { stateFile: values.state }),
});
const control = await serveControl(sim, { port: Number(values["control-port"]), token: values.token });

const { wsUrl, mediaOrigin, caFile, rootPublicKey } = sim;
process.stdout.write(
  `${JSON.stringify({ controlUrl: control.url, wsUrl, mediaOrigin, caFile, rootPublicKey: rootPublicKey.toString("base64") })}\n`,
);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void Promise.all([control.stop(), sim.stop()]).then(() => process.exit(0));
  });
}
