import type { PlanFlag, Queue } from "@prosa/contract";
import { companyProfileOf, companyServiceOf } from "#server/features/companies/index.ts";
import { loadConnection } from "#server/features/connections/index.ts";
import { fileListEvents } from "#server/features/files/index.ts";
import { planOf } from "#server/features/plans/index.ts";
import { optionTreesOf, queueEvents, queuesOf } from "#server/features/queues/index.ts";
import type { QueueOptionRow, TreeNode } from "#server/features/queues/index.ts";
import { isEnabled, settingOf } from "#server/features/settings/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Cached } from "#server/platform/db/index.ts";
import type { Assistant, AssistantKinds, BotOption, BotQueue, BotScript, QueueHours } from "../bot.script.ts";
import { connectionEvents } from "../connection-texts.ts";
import { defaultTextsIn } from "../default-texts.ts";

/**
 * Loads the bot script of a connection. Cached, so that a turn costs no statement for it; loaded again after a change of
 * the connection, its queues and options, the company's hours, settings or plan. Throws ERR_NO_WAPP_FOUND.
 */
export function loadScript(ctx: Ctx, connectionId: number, assistants: AssistantKinds): Promise<BotScript> {
  return ctx.cached(cachedScript(connectionId, assistants));
}

/** Loads the script of a connection that has only this queue, for the preview. */
export async function loadQueueScript(ctx: Ctx, queue: Queue, assistants: AssistantKinds): Promise<BotScript> {
  const { language } = await companyProfileOf(ctx);
  const planned = await assistantsOfPlan(ctx, assistants);
  return {
    ...(await companyHours(ctx)),
    greeting: "",
    outOfHoursMessage: queue.outOfHoursMessage,
    queues: [await botQueue(ctx, queue, planned)],
    otherQueues: [],
    maxRepeats: 0,
    quietMinutes: 0,
    greetsOneQueue: false,
    assistant: null,
    transfer: null,
    texts: defaultTextsIn(language),
  };
}

const cachedScript = (connectionId: number, assistants: AssistantKinds): Cached<BotScript> => ({
  name: `bot script ${connectionId}`,
  staleAfter: [
    ...queueEvents,
    ...fileListEvents,
    ...connectionEvents,
    "setting.saved",
    "company.updated",
    "plan.updated",
  ],
  async load(ctx) {
    const connection = await loadConnection(ctx, connectionId);
    const queues = await queuesOf(ctx);
    const planned = await assistantsOfPlan(ctx, assistants);
    const load = (id: number | null) =>
      queues.filter((queue) => queue.id === id).map((queue) => botQueue(ctx, queue, planned));
    const [transferQueue] = await Promise.all(load(connection.transfer_queue_id));
    const afterMinutes = connection.time_to_transfer;
    const listed = new Set(connection.queues.map(({ id }) => id));
    return {
      ...(await companyHours(ctx)),
      greeting: connection.greeting_message,
      outOfHoursMessage: connection.out_of_hours_message,
      queues: await Promise.all(connection.queues.flatMap(({ id }) => load(id))),
      otherQueues: queues.filter(({ id }) => !listed.has(id)).map(hoursOfQueue),
      maxRepeats: connection.max_use_bot_queues,
      quietMinutes: connection.time_use_bot_queues,
      greetsOneQueue: await isEnabled(ctx, "sendGreetingMessageOneQueues"),
      assistant: assistantOf(connection.prompt_id, connection.integration_id, planned),
      transfer: transferQueue && afterMinutes > 0 ? { afterMinutes, queue: transferQueue } : null,
      texts: defaultTextsIn(connection.language),
    };
  },
});

async function companyHours(
  ctx: Ctx,
): Promise<Pick<BotScript, "scheduleType" | "companySchedules" | "timeZone" | "service">> {
  const { schedules, timeZone } = await companyProfileOf(ctx);
  const scheduleType = await settingOf(ctx, "scheduleType");
  return {
    scheduleType: scheduleType === "company" || scheduleType === "queue" ? scheduleType : "disabled",
    companySchedules: schedules,
    timeZone,
    service: await companyServiceOf(ctx),
  };
}

const flagOf: Readonly<Record<AssistantKinds[number], PlanFlag>> = {
  prompt: "useOpenAi",
  integration: "useIntegrations",
};

/** A plan that lost an assistant's feature leaves the choice, but nobody answers by it (decision 0106). No plan has every feature. */
async function assistantsOfPlan(ctx: Ctx, kinds: AssistantKinds): Promise<AssistantKinds> {
  const plan = await planOf(ctx);
  return kinds.filter((kind) => plan?.[flagOf[kind]] !== false);
}

/** An integration before a prompt, as it may itself ask one. */
function assistantOf(
  promptId: number | null,
  integrationId: number | null,
  available: AssistantKinds,
): Assistant | null {
  const chosen = { integration: integrationId, prompt: promptId };
  const kind = (["integration", "prompt"] as const).find((each) => available.includes(each) && chosen[each] !== null);
  const id = kind && chosen[kind];
  return kind && id != null ? { kind, id } : null;
}

async function botQueue(ctx: Ctx, queue: Queue, assistants: AssistantKinds): Promise<BotQueue> {
  const trees = await optionTreesOf(ctx);
  return {
    id: queue.id,
    name: queue.name,
    greeting: queue.greetingMessage,
    outOfHoursMessage: queue.outOfHoursMessage,
    schedules: queue.schedules,
    options: (trees.get(queue.id) ?? []).map(botOption),
    assistant: assistantOf(queue.promptId, queue.integrationId, assistants),
  };
}

function hoursOfQueue({ id, outOfHoursMessage, schedules }: Queue): QueueHours {
  return { id, outOfHoursMessage, schedules };
}

function botOption(node: TreeNode<QueueOptionRow>): BotOption {
  const { media_path: path, media_name: name, media_type: type, media_size: size } = node;
  return {
    id: node.id,
    option: node.option,
    title: node.title,
    message: node.message,
    media: path === null ? null : { path, name: name ?? "", type: type ?? "application/octet-stream", size: size ?? 0 },
    fileListId: node.file_list_id,
    children: node.children.map(botOption),
  };
}
