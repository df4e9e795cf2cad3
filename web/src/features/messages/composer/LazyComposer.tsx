import { styled } from "#web/ui/styled.ts";
import { Suspense } from "react";
import { whenIdle } from "#web/lib/browser/idle.ts";
import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";
import { color, media } from "#web/ui/theme.ts";
import type { ComposerProps } from "./Composer.tsx";
import { HeldText } from "./text-ahead.ts";

const load = () => import("./Composer.tsx");
const Composer = lazyOrNothing(async () => (await load()).Composer);

/** The composer in a chunk of its own: lists and conversations are shown before it is loaded. */
export function LazyComposer(props: ComposerProps) {
  return (
    <Suspense fallback={<OnItsWay uuid={props.ticket.uuid} />}>
      <Composer {...props} />
    </Suspense>
  );
}

/** Loads the composer's code when the browser is idle, with what an attached file needs. Call once the desk is shown. */
export function prefetchComposerWhenIdle(): void {
  whenIdle(() => {
    // what does not come now is fetched when it is needed
    load()
      .then(({ loadFileParts }) => loadFileParts())
      .catch(() => undefined);
  });
}

function OnItsWay({ uuid }: { readonly uuid: string }) {
  return (
    <Placeholder aria-hidden>
      <HeldText uuid={uuid} />
    </Placeholder>
  );
}

/** As high as the composer: no layout shift when it loads. */
const Placeholder = styled("div")({
  height: 132,
  backgroundColor: color.background,
  [media.phone]: { height: 64 },
});
