import { styled } from "#web/ui/styled.ts";
import { lazy, Suspense } from "react";
import { whenIdle } from "#web/lib/idle.ts";
import { color } from "#web/ui/theme.ts";
import type { ComposerProps } from "./Composer.tsx";

const load = () => import("./Composer.tsx");
const LateOne = lazy(async () => ({ default: (await load()).Composer }));

/** The composer, fetched apart: lists and conversations are there before anybody writes, and the idle moment after brings it. */
export function Composer(props: ComposerProps) {
  return (
    <Suspense fallback={<Room aria-hidden />}>
      <LateOne {...props} />
    </Suspense>
  );
}

/** Called once the desk stands. */
export function fetchComposerWhenIdle(): void {
  whenIdle(() => void load());
}

/** As high as it will be: the conversation above does not move. */
const Room = styled("div")({ height: 104, borderTop: `1px solid ${color.line}`, backgroundColor: color.panel });
