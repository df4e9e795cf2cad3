import type { CampaignContact } from "@prosa/contract/campaign-texts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { audienceContacts, type Audience } from "./audience.api.ts";
import { dialogMessages } from "./dialog.i18n.ts";

/** A contact for the preview, and the way to others. */
export interface SampleContacts {
  readonly contact: CampaignContact;
  /** Why it is an invented one. */
  readonly note: string | undefined;
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
  /** Of the audience; undefined while it is not known. */
  readonly count: number | undefined;
}

const invented = { number: "5511987654321", email: "camila@example.com" };

/** Steps through the contacts of the chosen list or tag; without any it is an invented one. */
export function useSampleContacts(audience: Audience | undefined): SampleContacts {
  const t = useMessages(dialogMessages);
  const query = useInfiniteQuery({
    ...audienceContacts(audience ?? { kind: "list", id: 0 }),
    enabled: audience !== undefined,
  });
  const known = audience === undefined ? [] : (query.data?.pages.flatMap(({ contacts }) => contacts) ?? []);
  const place = `${audience?.kind} ${audience?.id}`;
  const [chosen, setChosen] = useState({ place, index: 0 });
  const index = chosen.place === place ? Math.min(chosen.index, Math.max(0, known.length - 1)) : 0;
  const go = (to: number) => {
    setChosen({ place, index: to });
    if (to >= known.length - 2 && query.hasNextPage && !query.isFetchingNextPage) {
      void query.fetchNextPage();
    }
  };
  const isEmpty = audience !== undefined && query.isSuccess && known.length === 0;
  return {
    contact: known[index] ?? { ...invented, name: t("sample_name") },
    note: audience === undefined ? t("noSample") : isEmpty ? t("emptyAudience") : undefined,
    previous: index > 0 ? () => go(index - 1) : undefined,
    next: index < known.length - 1 ? () => go(index + 1) : undefined,
    count: audience && query.data?.pages[0]?.count,
  };
}
