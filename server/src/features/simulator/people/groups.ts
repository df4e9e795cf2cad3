import type { SimGroup } from "@prosa/contract";
import type { Content, GroupMessageView, GroupView } from "@prosa/wa-sim";
import { AppError } from "#server/platform/ctx.ts";
import { callNetwork } from "../simulator-line.ts";
import type { SimLine } from "../simulator-line.ts";
import { previewText } from "../simulator.view.ts";

/** The groups that the line is in, the latest conversation first. */
export async function listGroups({ client, number: line }: SimLine): Promise<SimGroup[]> {
  const groups = await callNetwork(() => client.call("groups", { line }));
  return groups.map(groupView).toSorted((a, b) => ((a.lastAt ?? "") < (b.lastAt ?? "") ? 1 : -1));
}

/** Throws ERR_NO_CONTACT_FOUND if the line is not in this group. */
export async function loadGroup(line: SimLine, id: string): Promise<SimGroup> {
  const group = (await listGroups(line)).find((one) => one.id === id);
  if (!group) {
    throw new AppError("ERR_NO_CONTACT_FOUND", { number: id });
  }
  return group;
}

export async function createGroup(
  { client, number: line }: SimLine,
  name: string,
  members: readonly { readonly number: string; readonly name: string }[],
): Promise<SimGroup> {
  const { id } = await callNetwork(() =>
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
  return callNetwork(() => client.call("groupChat", { id }));
}

/** Sends contents from a member's phone to the group. Throws ERR_NO_CONTACT_FOUND if the person is not a member. */
export async function sendInGroup(
  { client }: SimLine,
  { id, members }: SimGroup,
  number: string,
  contents: readonly Content[],
): Promise<void> {
  if (!members.some((member) => member.number === number)) {
    throw new AppError("ERR_NO_CONTACT_FOUND", { number });
  }
  for (const content of contents) {
    await callNetwork(() => client.call("says", { number, to: id, content }));
  }
}

function groupView({ id, subject, members, last }: GroupView): SimGroup {
  return {
    id,
    name: subject,
    members,
    lastText: last ? previewText(last) : "",
    lastAt: last ? new Date(last.at).toISOString() : null,
  };
}
