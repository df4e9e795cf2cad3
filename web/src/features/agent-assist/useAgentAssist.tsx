import { useQuery } from "@tanstack/react-query";
import { Suspense, useMemo, type ReactNode } from "react";
import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";
import { hasFeature } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";
import { assistState } from "./agent-assist.api.ts";
import type { AssistMenuProps } from "./AssistMenu.tsx";

const AssistMenu = lazyOrNothing(async () => (await import("./AssistMenu.tsx")).AssistMenu);

/** The composer's button for drafts of a language model; undefined where the company has none, or none is known yet. */
export function useAgentAssist({ ticketId, contactId, quotedId }: AssistMenuProps): ReactNode {
  const user = useUser();
  const isOn = useQuery({ ...assistState, enabled: hasFeature(user, "useOpenAi") }).data?.isOn === true;
  return useMemo(
    () =>
      isOn ? (
        <Suspense>
          <AssistMenu {...{ ticketId, contactId, quotedId }} />
        </Suspense>
      ) : undefined,
    [isOn, ticketId, contactId, quotedId],
  );
}
