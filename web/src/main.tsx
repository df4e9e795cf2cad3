import "@fontsource-variable/inter";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { languageReady } from "#web/lib/text/i18n.ts";
import { App } from "./app/App.tsx";
import { followOtherTabs, openSession } from "#web/lib/session/session.ts";

void openSession();
followOtherTabs();

void languageReady().then(() =>
  createRoot(document.getElementById("root")!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
