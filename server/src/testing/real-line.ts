import { getCACertificates, setDefaultCACertificates } from "node:tls";
import type { Message, Ticket } from "@prosa/contract";
import { WaSim } from "@prosa/wa-sim";
import type { Person } from "@prosa/wa-sim";
import { linesOf } from "#server/features/connections/index.ts";
import type { Clock } from "#server/platform/clock/index.ts";
import { createTestApp } from "./app.ts";
import type { TestApp, TestCaller } from "./app.ts";
import { aCompany, aConnection } from "./factories.ts";
import type { ConnectionOptions, TestCompany } from "./factories.ts";
import { linkLine } from "./storm/link-line.ts";

const OWNER = "5511990000001";

/** An app with its real driver and a linked line on wa-sim; jobs run in `settle` only. */
export interface RealLine {
  readonly sim: WaSim;
  /** The number of the line. */
  readonly owner: string;
  readonly app: TestApp;
  readonly admin: TestCaller;
  /** The ticket of a person who has written before. */
  ticketOf(person: Person): Promise<Ticket>;
  conversationWith(person: Person): Promise<Message[]>;
  end(): Promise<void>;
}

/** An app with its real driver, on a wa-sim of the same clock. Its connections connect once they are linked. */
export interface RealApp {
  readonly sim: WaSim;
  readonly app: TestApp;
  end(): Promise<void>;
}

export async function aRealApp(clock?: Clock): Promise<RealApp> {
  const sim = await WaSim.start(clock && { clock: () => clock.now().getTime() });
  // The same as NODE_EXTRA_CA_CERTS at the start of a process.
  setDefaultCACertificates([...getCACertificates("default"), sim.caPem]);
  const app = await createTestApp({ ...(clock && { clock }), env: { WHATSAPP_WS_URL: sim.wsUrl, SIMULATOR: "off" } });
  await linesOf(app.services).part.start();
  return {
    sim,
    app,
    async end() {
      linesOf(app.services).supervisor.crash();
      await app.close();
      await sim.stop();
    },
  };
}

export async function aRealLine(
  optionsOf: (company: TestCompany) => Promise<ConnectionOptions> | ConnectionOptions = () => ({}),
  clock?: Clock,
): Promise<RealLine> {
  const { sim, app, end } = await aRealApp(clock);
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const { id } = await aConnection(company, { provider: "beta", ...(await optionsOf(company)) });
  await linkLine(sim, (query) => company.inside(async (ctx) => (await query.execute(ctx.db)).rows), id, OWNER);

  const ticketOf = async ({ number }: Person) => {
    const { body } = await admin.get<{ tickets: Ticket[] }>(`/tickets?searchParam=${number}&showAll=true`);
    return body.tickets[0]!;
  };
  return {
    sim,
    owner: OWNER,
    app,
    admin,
    ticketOf,
    async conversationWith(person) {
      const { id: ticketId } = await ticketOf(person);
      return (await admin.get<{ messages: Message[] }>(`/messages/${ticketId}?peek=true`)).body.messages;
    },
    end,
  };
}
