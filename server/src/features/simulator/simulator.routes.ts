import { readFile } from "node:fs/promises";
import { simulator } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api, RequestScope } from "#server/platform/http/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import { setScriptedCustomers } from "#server/features/connections/index.ts";
import {
  hasScriptedCustomers,
  findPeople,
  listGroups,
  loadGroup,
  createGroup,
  readGroup,
  sendInGroup,
  createPerson,
  listPeople,
  loadPerson,
  addToNetwork,
} from "./people/index.ts";
import { callLine, limitLine, linkPhone, mediaUrlOf, messageContents, sendAsCustomer } from "./phone/index.ts";
import { loadSimulatorConnection, openSimulatorLine, callNetwork } from "./simulator-line.ts";
import type { SimLine } from "./simulator-line.ts";
import { limitsView, messageView } from "./simulator.view.ts";

/** The handlers call the simulator process, so they hold no transaction meanwhile. */
const noTransaction = { transaction: "none" } as const;

export function simulatorRoutes(api: Api): void {
  const { services } = api;

  async function lineOf(edge: RequestScope, connectionId: number): Promise<SimLine> {
    const found = await edge.read(async (ctx) => ({
      companyId: ctx.companyId,
      connection: await loadSimulatorConnection(ctx, connectionId),
    }));
    return openSimulatorLine(services.config.dataDir, found.companyId, found.connection);
  }

  serve(
    api,
    simulator.people,
    async (edge, { params }) => {
      const line = await lineOf(edge, params.id);
      const [people, lively] = await edge.read((ctx) =>
        Promise.all([findPeople(ctx, params.id), hasScriptedCustomers(ctx, params.id)]),
      );
      const { devices, limits } = await callNetwork(() => line.client.call("phone", { number: line.number }));
      return {
        phone: { number: line.number, linked: devices.length > 0, limits: limitsView(limits) },
        people: await listPeople(line, people),
        groups: await listGroups(line),
        lively,
      };
    },
    noTransaction,
  );

  serve(
    api,
    simulator.addPerson,
    async (edge, { params, body }) => {
      const line = await lineOf(edge, params.id);
      const person = await edge.inCompany((ctx) => createPerson(ctx, params.id, body));
      await addToNetwork(line, person);
      return { ...person, lastText: "", lastAt: null, unread: 0 };
    },
    noTransaction,
  );

  serve(
    api,
    simulator.chat,
    async (edge, { params }) => {
      const line = await lineOf(edge, params.id);
      await loadPerson(line, edge.read, params.number);
      const messages = await callNetwork(() => line.client.call("chat", { number: params.number, line: line.number }));
      const latest = messages.filter(({ group }) => group === undefined).slice(-MAX_SHOWN);
      return Promise.all(
        latest.map(async (message) => messageView(message, await mediaUrlOf(services, line, message))),
      );
    },
    noTransaction,
  );

  serve(
    api,
    simulator.say,
    async (edge, { params, body, files }) => {
      const line = await lineOf(edge, params.id);
      await loadPerson(line, edge.read, params.number);
      await sendAsCustomer(line, params.number, body, await messageContents(body, files));
      return {};
    },
    noTransaction,
  );

  serve(
    api,
    simulator.read,
    async (edge, { params }) => {
      const line = await lineOf(edge, params.id);
      await loadPerson(line, edge.read, params.number);
      await callNetwork(() => line.client.call("reads", { number: params.number, from: line.number }));
      return {};
    },
    noTransaction,
  );

  serve(
    api,
    simulator.picture,
    async (edge, { params, files: [file] }) => {
      const line = await lineOf(edge, params.id);
      await loadPerson(line, edge.read, params.number);
      if (!file || !file.contentType.startsWith("image/")) {
        throw new AppError("ERR_FILE_TYPE");
      }
      const bytes = await readFile(file.path);
      await callNetwork(() => line.client.call("showPicture", { number: params.number, bytes }));
      return {};
    },
    noTransaction,
  );

  serve(
    api,
    simulator.addGroup,
    async (edge, { params, body }) => {
      const line = await lineOf(edge, params.id);
      const members = [];
      for (const number of new Set(body.numbers)) {
        members.push(await loadPerson(line, edge.read, number));
      }
      return createGroup(line, body.name, members);
    },
    noTransaction,
  );

  serve(
    api,
    simulator.groupChat,
    async (edge, { params }) => {
      const line = await lineOf(edge, params.id);
      const group = await loadGroup(line, params.group);
      const latest = (await readGroup(line, group)).slice(-MAX_SHOWN);
      return Promise.all(
        latest.map(async ({ author, message }) => ({
          ...messageView(message, await mediaUrlOf(services, line, message)),
          author: group.members.find(({ number }) => number === author) ?? null,
        })),
      );
    },
    noTransaction,
  );

  serve(
    api,
    simulator.groupSay,
    async (edge, { params, body, files }) => {
      const line = await lineOf(edge, params.id);
      const group = await loadGroup(line, params.group);
      await sendInGroup(line, group, body.number, await messageContents(body, files));
      return {};
    },
    noTransaction,
  );

  serve(
    api,
    simulator.scan,
    async (edge, { params }) => {
      await linkPhone(await lineOf(edge, params.id));
      return {};
    },
    noTransaction,
  );

  serve(
    api,
    simulator.fault,
    async (edge, { params, body }) => {
      const line = await lineOf(edge, params.id);
      if (body.kind !== "call") {
        const { kind } = body;
        await callNetwork(() => line.client.call("kick", { number: line.number, how: kind }));
        return {};
      }
      if (body.number === undefined) {
        throw new AppError("ERR_VALIDATION", { fields: { number: "Required" } });
      }
      await loadPerson(line, edge.read, body.number);
      await callLine(line, body.number);
      return {};
    },
    noTransaction,
  );

  serve(
    api,
    simulator.limit,
    async (edge, { params, body }) => {
      await limitLine(await lineOf(edge, params.id), body);
      return {};
    },
    noTransaction,
  );

  serve(api, simulator.lively, async (ctx, { params, body }) => {
    await loadSimulatorConnection(ctx, params.id);
    await setScriptedCustomers(ctx, params.id, body.lively);
    return body;
  });
}

/** Messages that the phone screen shows. */
const MAX_SHOWN = 200;
