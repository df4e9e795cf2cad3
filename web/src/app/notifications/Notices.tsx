import { useEffect } from "react";
import { DueNotice } from "./DueNotice.tsx";
import { ReloadNotice } from "./ReloadNotice.tsx";
import { SupportNotice } from "./SupportNotice.tsx";
import { keepPageOnDrop } from "./stray-drop.ts";

/** The banners above every screen. One chunk, so that the shell names one. */
export function Notices() {
  useEffect(keepPageOnDrop, []);
  return (
    <>
      <DueNotice />
      <SupportNotice />
      <ReloadNotice />
    </>
  );
}
