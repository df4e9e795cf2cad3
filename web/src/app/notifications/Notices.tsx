import { DueNotice } from "./DueNotice.tsx";
import { ReloadNotice } from "./ReloadNotice.tsx";
import { SupportNotice } from "./SupportNotice.tsx";

/** The banners above every screen. One chunk, so that the shell names one. */
export function Notices() {
  return (
    <>
      <DueNotice />
      <SupportNotice />
      <ReloadNotice />
    </>
  );
}
