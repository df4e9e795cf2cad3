import "@fontsource-variable/inter";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { watchDrafts } from "#web/lib/browser/drafts.ts";
import { languageReady } from "#web/lib/text/i18n.ts";
import { App } from "./app/App.tsx";
import { followOtherTabs, onSignedOut, openSession } from "#web/lib/session/session.ts";

const loadKept = () => import("#web/app/kept/kept.ts");
const forget = async () => (await loadKept()).forgetKept();
void openSession({
  restoreAtOnce: async () => (await loadKept()).restoreAtOnce(),
  restoreWithServer: async () => (await loadKept()).restoreWithServer(),
  forget,
});
followOtherTabs();
watchDrafts();
onSignedOut(() => void forget());

void languageReady().then(() =>
  createRoot(document.getElementById("root")!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
