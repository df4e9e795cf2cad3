/** Where a quick reply goes that is chosen outside of the composer, in the command palette. */
import type { QuickMessage } from "@prosa/contract/quick-messages";
import { useEffect } from "react";
import { useStableCallback } from "#web/lib/browser/useStableCallback.ts";

type Use = (quick: QuickMessage) => void;

const targets: Use[] = [];

/** The mounted composer takes what is chosen elsewhere; with several the newest does. */
export function useQuickReplyTarget(use: Use): void {
  const take = useStableCallback(use);
  useEffect(() => {
    targets.push(take);
    return () => {
      targets.splice(targets.indexOf(take), 1);
    };
  }, [take]);
}

/** Undefined where no conversation is open to be answered. */
export function quickReplyTarget(): Use | undefined {
  return targets.at(-1);
}
