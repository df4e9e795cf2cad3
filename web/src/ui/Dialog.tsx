import type { DialogProps } from "@mui/material/Dialog";
import type { DrawerProps } from "@mui/material/Drawer";
import { lazy, Suspense } from "react";
import { whenIdle } from "#web/lib/idle.ts";

const load = () => import("./material.tsx");
const LateDialog = lazy(async () => ({ default: (await load()).Dialog }));
const LateDrawer = lazy(async () => ({ default: (await load()).Drawer }));

/** Material's dialog, fetched apart: the desk is there before anybody opens one, and the idle moment after brings it. */
export function Dialog(props: DialogProps) {
  return (
    <Suspense>
      <LateDialog {...props} />
    </Suspense>
  );
}

/** Material's drawer over the page, for phones and narrow windows; fetched apart too. */
export function Drawer(props: DrawerProps) {
  return (
    <Suspense>
      <LateDrawer {...props} />
    </Suspense>
  );
}

/** Called once the first screen stands. */
export function fetchDialogsWhenIdle(): void {
  whenIdle(() => void load());
}
