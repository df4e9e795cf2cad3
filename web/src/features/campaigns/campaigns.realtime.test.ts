import { campaignRules, type Campaign, type CampaignCounts } from "@prosa/contract/campaigns";
import type { SessionUser } from "@prosa/contract/auth";
import { QueryClient } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { campaignKeys } from "./campaigns.api.ts";
import { campaignsRealtime } from "./campaigns.realtime.ts";

const counts: CampaignCounts = {
  ...{ total: 2, valid: 2, waiting: 2, confirmationRequested: 0, confirmed: 0, queued: 0, sent: 0, delivered: 0 },
  ...{ read: 0, answered: 0, failed: 0, declined: 0, unanswered: 0, optedOut: 0, invalid: 0, duplicate: 0 },
};
const texts = {
  ...{ message1: "Oi", message2: "", message3: "", message4: "", message5: "" },
  ...{ confirmationMessage1: "", confirmationMessage2: "", confirmationMessage3: "" },
  ...{ confirmationMessage4: "", confirmationMessage5: "" },
};
const campaign: Campaign = {
  ...texts,
  ...{ id: 4, name: "Natal", status: "EM_ANDAMENTO", confirmation: false, companyId: 1, counts, lines: [] },
  ...{ scheduledAt: null, startedAt: null, completedAt: null, createdAt: "2026-11-25T12:00:00Z" },
  ...{ whatsappId: null, whatsapp: null, contactListId: null, contactList: null, tagListId: null, tagList: null },
  ...{ fileListId: null, fileList: null, mediaPath: null, mediaName: null, mediaUrl: null },
};
const list = ["campaigns", "list", {}];

function aBrowser() {
  const queryClient = new QueryClient();
  queryClient.setQueryData(list, { pages: [{ items: [campaign], count: 1, hasMore: false }], pageParams: [1] });
  queryClient.setQueryData(campaignKeys.one(4), campaign);
  const hear = (packet: Parameters<NonNullable<typeof campaignsRealtime.campaign>>[0]) =>
    campaignsRealtime.campaign?.(packet, queryClient, {} as SessionUser);
  const rows = () => queryClient.getQueryData<{ pages: { items: Campaign[] }[] }>(list)!.pages[0]!.items;
  return { queryClient, hear, rows };
}

test("list and report follow a campaign that is sent (K-07)", () => {
  const { queryClient, hear, rows } = aBrowser();

  hear({ action: "update", record: { ...campaign, counts: { ...counts, sent: 1 } } });
  expect(rows()[0]?.counts.sent).toBe(1);
  expect(queryClient.getQueryData(campaignKeys.one(4))).toMatchObject({ counts: { sent: 1 } });

  hear({ action: "create", record: { ...campaign, id: 5 } });
  expect(rows().map(({ id }) => id)).toEqual([5, 4]);
  expect(queryClient.getQueryData(campaignKeys.one(5))).toBeUndefined();

  hear({ action: "delete", id: 4 });
  expect(rows().map(({ id }) => id)).toEqual([5]);
  expect(queryClient.getQueryData(campaignKeys.one(4))).toBeUndefined();
});

test("a report asks again five seconds after it saw the end (K-07)", () => {
  vi.useFakeTimers();
  const { queryClient, hear } = aBrowser();
  const isAsked = () => queryClient.getQueryState(campaignKeys.one(4))?.isInvalidated;

  hear({ action: "update", record: { ...campaign, status: "FINALIZADA" } });
  vi.advanceTimersByTime(campaignRules.refetchAfterEndMs - 1);
  expect(isAsked()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(isAsked()).toBe(true);
  vi.useRealTimers();
});
