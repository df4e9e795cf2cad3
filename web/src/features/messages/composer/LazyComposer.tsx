import { styled } from "#web/ui/styled.ts";
import { lazy, Suspense } from "react";
import { whenIdle } from "#web/lib/browser/idle.ts";
import { color, media } from "#web/ui/theme.ts";
import type { ComposerProps } from "./Composer.tsx";

const load = () => import("./Composer.tsx");
const Composer = lazy(async () => ({ default: (await load()).Composer }));

/** The composer in a chunk of its own: lists and conversations are shown before it is loaded. */
export function LazyComposer(props: ComposerProps) {
  return (
    <Suspense fallback={<Placeholder aria-hidden />}>
      <Composer {...props} />
    </Suspense>
  );
}

/** Loads the composer's code when the browser is idle. Call once the desk is shown. */
export function prefetchComposerWhenIdle(): void {
  whenIdle(() => void load());
}

/** As high as the composer: no layout shift when it loads. */
const Placeholder = styled("div")({
  height: 132,
  backgroundColor: color.background,
  [media.phone]: { height: 64 },
});
