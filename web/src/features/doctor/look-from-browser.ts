import type { Finding } from "@prosa/contract/doctor";
import type { Translate } from "@prosa/contract/i18n";
import type { doctorTabMessages } from "./doctor.i18n.ts";

const SOCKET_WITHIN_MS = 5_000;
/** Sessions and schedules bear less than minutes. */
const MAX_CLOCK_SECONDS = 60;

type Say = Translate<(typeof doctorTabMessages)["pt"]>;

/** What only the browser of a person can see: whether a WebSocket comes through all proxies, the address and the clock. */
export async function lookFromBrowser(
  { at, publicUrl }: { readonly at: string; readonly publicUrl: string | null },
  say: Say,
): Promise<readonly Finding[]> {
  // Before the socket, whose opening takes time.
  const seconds = Math.round(Math.abs(Date.now() - Date.parse(at)) / 1_000);
  const url = location.origin;
  return [
    (await opensSocket())
      ? { subject: say("browserSocket"), state: "good", found: say("socketOpen") }
      : { subject: say("browserSocket"), state: "bad", found: say("socketShut"), remedy: say("socketDo") },
    ...(publicUrl === null ? [] : [lookAtAddress(url, publicUrl, say)]),
    seconds <= MAX_CLOCK_SECONDS
      ? { subject: say("browserClock"), state: "good", found: say("clockGood", { seconds }) }
      : {
          subject: say("browserClock"),
          state: "doubtful",
          found: say("clockGood", { seconds }),
          remedy: say("clockDo"),
        },
  ];
}

function lookAtAddress(url: string, publicUrl: string, say: Say): Finding {
  return url === new URL(publicUrl).origin
    ? { subject: say("browserAddress"), state: "good", found: say("addressSame", { url }) }
    : {
        subject: say("browserAddress"),
        state: "doubtful",
        found: say("addressOther", { url, publicUrl }),
        remedy: say("addressDo"),
      };
}

/** A connection of its own, without a session: that the app's is open may be older than a change of the proxy. */
function opensSocket(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${location.origin.replace(/^http/u, "ws")}/socket.io/?EIO=4&transport=websocket`);
    const end = (isOpen: boolean) => {
      clearTimeout(timer);
      socket.close();
      resolve(isOpen);
    };
    const timer = setTimeout(() => end(false), SOCKET_WITHIN_MS);
    socket.addEventListener("open", () => end(true));
    socket.addEventListener("error", () => end(false));
  });
}
