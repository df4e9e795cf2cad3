import type { SimGroup } from "@prosa/contract";
import type { Content, GroupMessageView, GroupView } from "@prosa/wa-sim";
import { AppError } from "#server/platform/ctx.ts";
import { reach } from "./sim-line.ts";
import type { SimLine } from "./sim-line.ts";
import { textOfMessage } from "./simulator.view.ts";

/** The groups that the line is in, the latest conversation first. */
export async function listGroups({ client, number: line }: SimLine): Promise<SimGroup[]> {
  const groups = await reach(() => client.call("groups", { line }));
  return groups.map(groupView).toSorted((a, b) => ((a.lastAt ?? "") < (b.lastAt ?? "") ? 1 : -1));
}

/** Throws ERR_NO_CONTACT_FOUND where the line is in no such group. */
export async function loadGroup(line: SimLine, id: string): Promise<SimGroup> {
  const group = (await listGroups(line)).find((one) => one.id === id);
  if (!group) {
    throw new AppError("ERR_NO_CONTACT_FOUND", { number: id });
  }
  return group;
}

export async function makeGroup(
  { client, number: line }: SimLine,
  name: string,
  members: readonly { readonly number: string; readonly name: string }[],
): Promise<SimGroup> {
  const { id } = await reach(() =>
    client.call("group", { subject: name, members: members.map(({ number }) => number), line }),
  );
  return {
    id,
    name,
    members: members.map(({ number, name: called }) => ({ number, name: called })),
    lastText: "",
    lastAt: null,
  };
}

export async function readGroup({ client }: SimLine, { id }: SimGroup): Promise<GroupMessageView[]> {
  return reach(() => client.call("groupChat", { id }));
}

/** Throws ERR_NO_CONTACT_FOUND for somebody who is not in the group. */
export async function sayInGroup(
  { client }: SimLine,
  { id, members }: SimGroup,
  number: string,
  contents: readonly Content[],
): Promise<void> {
  if (!members.some((member) => member.number === number)) {
    throw new AppError("ERR_NO_CONTACT_FOUND", { number });
  }
  for (const content of contents) {
    await reach(() => client.call("personSends", { number, to: id, content }));
  }
}

function groupView({ id, subject, members, last }: GroupView): SimGroup {
  return {
    id,
    name: subject,
    members,
    lastText: last ? textOfMessage(last) : "",
    lastAt: last ? new Date(last.at).toISOString() : null,
  };
}
