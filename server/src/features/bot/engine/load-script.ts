import type { Queue } from "@prosa/contract";
import { companyProfileOf } from "#server/features/companies/index.ts";
import { loadConnection } from "#server/features/connections/index.ts";
import { optionTreesOf, queueEvents, queuesOf } from "#server/features/queues/index.ts";
import type { QueueOptionRow, TreeNode } from "#server/features/queues/index.ts";
import { isEnabled, settingOf } from "#server/features/settings/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Cached } from "#server/platform/db/index.ts";
import type { BotOption, BotQueue, BotScript } from "../bot.script.ts";
import { connectionEvents } from "../connection-texts.ts";
import { defaultTextsIn } from "../default-texts.ts";

/**
 * Prompts and integrations can be chosen, but none of them is implemented yet: a conversation handed over to one would get
 * no answer. So a queue or connection with one behaves as one without.
 */
const noAssistant = null;

/**
 * Loads the bot script of a connection. Cached, so that a turn costs no statement for it; loaded again after a change of
 * the connection, its queues and options, the company's hours or settings. Throws ERR_NO_WAPP_FOUND.
 */
export function loadScript(ctx: Ctx, connectionId: number): Promise<BotScript> {
  return ctx.cached(cachedScript(connectionId));
}

/** Loads the script of a connection that has only this queue, for the preview. */
export async function loadQueueScript(ctx: Ctx, queue: Queue): Promise<BotScript> {
  const { language } = await companyProfileOf(ctx);
  return {
    ...(await companyHours(ctx)),
    greeting: "",
    outOfHoursMessage: queue.outOfHoursMessage,
    queues: [await botQueue(ctx, queue)],
    maxMenus: 0,
    quietMinutes: 0,
    greetsOneQueue: false,
    assistant: null,
    texts: defaultTextsIn(language),
  };
}

const cachedScript = (connectionId: number): Cached<BotScript> => ({
  name: `bot script ${connectionId}`,
  staleAfter: [...queueEvents, ...connectionEvents, "setting.saved", "company.updated"],
  async load(ctx) {
    const connection = await loadConnection(ctx, connectionId);
    const queues = await queuesOf(ctx);
    const inOrder = connection.queues.flatMap(({ id }) => queues.find((queue) => queue.id === id) ?? []);
    return {
      ...(await companyHours(ctx)),
      greeting: connection.greeting_message,
      outOfHoursMessage: connection.out_of_hours_message,
      queues: await Promise.all(inOrder.map((queue) => botQueue(ctx, queue))),
      maxMenus: connection.max_use_bot_queues,
      quietMinutes: connection.time_use_bot_queues,
      greetsOneQueue: await isEnabled(ctx, "sendGreetingMessageOneQueues"),
      assistant: noAssistant,
      texts: defaultTextsIn(connection.language),
    };
  },
});

async function companyHours(ctx: Ctx): Promise<Pick<BotScript, "scheduleType" | "companySchedules" | "timeZone">> {
  const { schedules, timeZone } = await companyProfileOf(ctx);
  const scheduleType = await settingOf(ctx, "scheduleType");
  return {
    scheduleType: scheduleType === "company" || scheduleType === "queue" ? scheduleType : "disabled",
    companySchedules: schedules,
    timeZone,
  };
}

async function botQueue(ctx: Ctx, queue: Queue): Promise<BotQueue> {
  const trees = await optionTreesOf(ctx);
  return {
    id: queue.id,
    name: queue.name,
    greeting: queue.greetingMessage,
    outOfHoursMessage: queue.outOfHoursMessage,
    schedules: queue.schedules,
    options: (trees.get(queue.id) ?? []).map(botOption),
    assistant: noAssistant,
  };
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
