import type { DialogProps } from "@mui/material/Dialog";
import type { DrawerProps } from "@mui/material/Drawer";
import { lazy, Suspense } from "react";
import { whenIdle } from "#web/lib/browser/idle.ts";

const load = () => import("./material.tsx");
const LateDialog = lazy(async () => ({ default: (await load()).Dialog }));
const LateDrawer = lazy(async () => ({ default: (await load()).Drawer }));

/** Material's dialog in a chunk of its own, which is fetched when the browser is idle after the first screen. */
export function Dialog(props: DialogProps) {
  return (
    <Suspense>
      <LateDialog {...props} />
    </Suspense>
  );
}

/** Material's drawer over the page, for phones and narrow windows; in the same chunk as the dialog. */
export function Drawer(props: DrawerProps) {
  return (
    <Suspense>
      <LateDrawer {...props} />
    </Suspense>
  );
}

/** Called once after the first screen is shown. */
export function fetchDialogsWhenIdle(): void {
  whenIdle(() => void load());
}
