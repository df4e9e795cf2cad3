import { readFile } from "node:fs/promises";
import { simulator } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api, RequestScope } from "#server/platform/http/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import { setScriptedCustomers } from "#server/features/connections/index.ts";
import { findIsLively, findPeople } from "./people.queries.ts";
import { mediaUrlOf } from "./phone-media.ts";
import { loadSimulatorConnection, openLine, reach } from "./sim-line.ts";
import type { SimLine } from "./sim-line.ts";
import { act, callLine, contentsOf, link } from "./simulator.acts.ts";
import { listGroups, loadGroup, makeGroup, readGroup, sayInGroup } from "./simulator.groups.ts";
import { givePersonNumber, listPeople, loadPerson, meetPerson } from "./simulator.people.ts";
import { messageView } from "./simulator.view.ts";

/** Each talks to the network, so none of them holds a transaction meanwhile. */
const outside = { transaction: "none" } as const;

export function simulatorRoutes(api: Api): void {
  const { services } = api;

  async function lineOf(edge: RequestScope, connectionId: number): Promise<SimLine> {
    const found = await edge.read(async (ctx) => ({
      companyId: ctx.companyId,
      connection: await loadSimulatorConnection(ctx, connectionId),
    }));
    return openLine(services.config.dataDir, found.companyId, found.connection);
  }

  serve(
    api,
    simulator.people,
    async (edge, { params }) => {
      const line = await lineOf(edge, params.id);
      const [people, lively] = await edge.read((ctx) =>
        Promise.all([findPeople(ctx, params.id), findIsLively(ctx, params.id)]),
      );
      const { devices } = await reach(() => line.client.call("phone", { number: line.number }));
      return {
        phone: { number: line.number, linked: devices.length > 0 },
        people: await listPeople(line, people),
        groups: await listGroups(line),
        lively,
      };
    },
    outside,
  );

  serve(
    api,
    simulator.addPerson,
    async (edge, { params, body }) => {
      const line = await lineOf(edge, params.id);
      const person = await edge.inCompany((ctx) => givePersonNumber(ctx, params.id, body));
      await meetPerson(line, person);
      return { ...person, lastText: "", lastAt: null, unread: 0 };
    },
    outside,
  );

  serve(
    api,
    simulator.chat,
    async (edge, { params }) => {
      const line = await lineOf(edge, params.id);
      await loadPerson(line, edge.read, params.number);
      const messages = await reach(() => line.client.call("chat", { number: params.number, line: line.number }));
      const latest = messages.filter(({ group }) => group === undefined).slice(-SHOWN);
      return Promise.all(
        latest.map(async (message) => messageView(message, await mediaUrlOf(services, line, message))),
      );
    },
    outside,
  );

  serve(
    api,
    simulator.say,
    async (edge, { params, body, files }) => {
      const line = await lineOf(edge, params.id);
      await loadPerson(line, edge.read, params.number);
      await act(line, params.number, body, await contentsOf(body, files));
      return {};
    },
    outside,
  );

  serve(
    api,
    simulator.read,
    async (edge, { params }) => {
      const line = await lineOf(edge, params.id);
      await loadPerson(line, edge.read, params.number);
      await reach(() => line.client.call("reads", { number: params.number, from: line.number }));
      return {};
    },
    outside,
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
      await reach(() => line.client.call("setPicture", { number: params.number, bytes }));
      return {};
    },
    outside,
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
      return makeGroup(line, body.name, members);
    },
    outside,
  );

  serve(
    api,
    simulator.groupChat,
    async (edge, { params }) => {
      const line = await lineOf(edge, params.id);
      const group = await loadGroup(line, params.group);
      const latest = (await readGroup(line, group)).slice(-SHOWN);
      return Promise.all(
        latest.map(async ({ author, message }) => ({
          ...messageView(message, await mediaUrlOf(services, line, message)),
          author: group.members.find(({ number }) => number === author) ?? null,
        })),
      );
    },
    outside,
  );

  serve(
    api,
    simulator.groupSay,
    async (edge, { params, body, files }) => {
      const line = await lineOf(edge, params.id);
      const group = await loadGroup(line, params.group);
      await sayInGroup(line, group, body.number, await contentsOf(body, files));
      return {};
    },
    outside,
  );

  serve(
    api,
    simulator.scan,
    async (edge, { params }) => {
      await link(await lineOf(edge, params.id));
      return {};
    },
    outside,
  );

  serve(
    api,
    simulator.fault,
    async (edge, { params, body }) => {
      const line = await lineOf(edge, params.id);
      if (body.kind !== "call") {
        const { kind } = body;
        await reach(() => line.client.call("kick", { number: line.number, how: kind }));
        return {};
      }
      if (body.number === undefined) {
        throw new AppError("ERR_VALIDATION", { fields: { number: "Required" } });
      }
      await loadPerson(line, edge.read, body.number);
      await callLine(line, body.number);
      return {};
    },
    outside,
  );

  serve(api, simulator.lively, async (ctx, { params, body }) => {
    await loadSimulatorConnection(ctx, params.id);
    await setScriptedCustomers(ctx, params.id, body.lively);
    return body;
  });
}

/** A phone screen shows no more; older ones are in the desk. */
const SHOWN = 200;
