import { z } from "zod";
import type { ContactResolver } from "#server/features/contacts/index.ts";
import { campaignTrackTask } from "#server/features/messages/index.ts";
import { whenRulesAreSaved } from "#server/features/sending/index.ts";
import { adminIdsOf } from "#server/features/users/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { EventWatcher, Feature } from "#server/platform/feature.ts";
import { publishRecords, recordPackets, userRoom } from "#server/platform/realtime/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import type { Services } from "#server/platform/services.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { watchInCompany } from "#server/platform/watch-in-company.ts";
import { ANSWER_TASK, DISPATCH_TASK, PUBLISH_TASK, START_TASK, TEND_TASK } from "./campaigns.jobs.ts";
import { findCampaigns } from "./campaigns.queries.ts";
import { campaignsRoutes } from "./campaigns.routes.ts";
import { campaignView } from "./campaigns.view.ts";
import { answerAgreed, dispatchDue, wakeHeldLines, wakeLinesOfRules } from "./dispatch/index.ts";
import { findCampaignFiles } from "./edit/index.ts";
import { publishProgress } from "./publish/index.ts";
import { startCampaign, tendCampaign, tendCampaignsOfList } from "./start/index.ts";
import { trackDelivery } from "./track/index.ts";
import { recipientData } from "./erase-recipients.queries.ts";

const campaignPayload = z.object({ campaignId: z.number().int() });
const connectionPayload = z.object({ connectionId: z.number().int() });
const listPayload = z.object({ contactListId: z.number().int() });

const adminRooms = async (ctx: Ctx) => (await adminIdsOf(ctx)).map(userRoom);

const loadViews = (media: MediaLinks) => async (ctx: Ctx, ids: readonly number[]) =>
  (await findCampaigns(ctx, ids)).map((row) => campaignView(media, ctx.companyId, row));

const publication = (media: MediaLinks) => ({ noun: "campaign", load: loadViews(media), rooms: adminRooms }) as const;

/** The results of a campaign that is being sent. */
const publishResults =
  (media: MediaLinks): EventHandler =>
  async (batch, tools) => {
    const ids = batch.map(({ payload }) => campaignPayload.parse(payload).campaignId);
    return recordPackets(publication(media), "update", ids, tools);
  };

const onEvent = (services: Services, work: (ctx: Ctx, payload: unknown) => Promise<void>): EventWatcher =>
  watchInCompany(services, work, "campaigns not told of an event; they look again later");

/** A line that came back, or whose limit changed: the campaigns that wait for it go on at once. */
const wakeLines = async (ctx: Ctx, payload: unknown) =>
  wakeHeldLines(ctx, connectionPayload.parse(payload).connectionId);
const takeChecked = async (ctx: Ctx, payload: unknown) =>
  tendCampaignsOfList(ctx, listPayload.parse(payload).contactListId);

/** `contacts` finds and creates the contact behind a number; it lies in the feature that owns all that a contact has. */
export const campaignsFeature = ({ contacts }: { readonly contacts: ContactResolver }): Feature => ({
  name: "campaigns",
  personalData: [recipientData],
  routes: (api) => campaignsRoutes(api, contacts),
  files: [{ folder: "campaigns", referenced: findCampaignFiles }],
  tasks: () => ({
    [START_TASK]: startCampaign,
    [DISPATCH_TASK]: dispatchDue(contacts),
    [ANSWER_TASK]: answerAgreed(contacts),
    [TEND_TASK]: tendCampaign,
    [campaignTrackTask]: trackDelivery,
    [PUBLISH_TASK]: publishProgress,
  }),
  events: ({ media }) => ({
    ...publishRecords({ ...publication(media), idField: "campaignId" }),
    "campaign.progressed": publishResults(media),
  }),
  eventWatchers: (services): Readonly<Record<string, EventWatcher>> =>
    services.config.roles.has("worker")
      ? {
          "connection.state": onEvent(services, wakeLines),
          "connection.limitChanged": onEvent(services, wakeLines),
          "contactList.checked": onEvent(services, takeChecked),
          ...whenRulesAreSaved(services, wakeLinesOfRules),
        }
      : {},
});
