import { styled } from "#web/ui/styled.ts";
import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";
import { useLocation } from "#web/lib/routing/location.ts";
import { useMedia, useShortcut } from "#web/lib/browser/hooks.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { shortcuts } from "#web/lib/browser/shortcuts.ts";
import { openSocket, useRoom } from "#web/lib/realtime/socket.ts";
import { writeStored, readStored } from "#web/lib/session/storage.ts";
import { Drawer, fetchDialogsWhenIdle } from "#web/ui/Dialog.tsx";
import { ProgressBar } from "#web/ui/states.tsx";
import { color, media, size } from "#web/ui/theme.ts";
import { appMessages } from "#web/app/app.i18n.ts";
import { ErrorBoundary } from "#web/app/routing/ErrorBoundary.tsx";
import { menuFor } from "./menu.ts";
import { builtPaths, privateScreens } from "#web/app/routing/screens.ts";
import { currentFlags, useSessionEvents } from "#web/app/routing/sessionEvents.ts";
import { SideMenu } from "./SideMenu.tsx";
import { backgroundComponents } from "./slots.ts";
import { TopBar } from "./TopBar.tsx";

const HelpSheet = lazy(async () => ({ default: (await import("./HelpSheet.tsx")).HelpSheet }));
const Commands = lazy(async () => ({ default: (await import("./Commands.tsx")).Commands }));

/** The frame of every private screen: menu, top bar, socket. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const t = useMessages(appMessages);
  const user = useUser();
  const place = useLocation();
  const isPhone = useMedia(media.phone);
  const drawer = useDrawer(isPhone);
  const [isCommanding, setCommanding] = useState(false);
  const [isHelping, setHelping] = useState(false);
  const groups = menuFor(user, currentFlags(), builtPaths(privateScreens));

  useEffect(fetchDialogsWhenIdle, []);
  useRoom("joinNotification");
  useSessionEvents();
  useShortcut(shortcuts.commands, () => setCommanding(true));
  useShortcut(shortcuts.help, () => setHelping(true));

  const menu = <SideMenu groups={groups} onNavigate={() => isPhone && drawer.close()} />;

  return (
    <Frame>
      <Skip href="#content">{t("skip")}</Skip>
      {isPhone ? (
        <Drawer open={drawer.isOpen} onClose={drawer.close}>
          {menu}
        </Drawer>
      ) : (
        drawer.isOpen && <Side>{menu}</Side>
      )}
      <Rest>
        <TopBar
          isDrawerOpen={drawer.isOpen}
          isPhone={isPhone}
          onToggleDrawer={drawer.toggle}
          onOpenCommands={() => setCommanding(true)}
        />
        <Content id="content" tabIndex={-1}>
          <ErrorBoundary place={place.pathname}>
            <Suspense fallback={<ProgressBar label={t("loading")} />}>
              {children}
              <Live key={user.id} />
            </Suspense>
          </ErrorBoundary>
        </Content>
      </Rest>
      {isCommanding && (
        <Suspense>
          <Commands groups={groups} onHelp={() => setHelping(true)} onClose={() => setCommanding(false)} />
        </Suspense>
      )}
      {isHelping && (
        <Suspense>
          <HelpSheet onClose={() => setHelping(false)} />
        </Suspense>
      )}
      {backgroundComponents.map((Resident, index) => (
        <Suspense key={index}>
          <Resident />
        </Suspense>
      ))}
    </Frame>
  );
}

/** Opens the socket once the first screen is shown: its handshake names the screen's rooms, so that no fetch is repeated. */
function Live() {
  useEffect(openSocket, []);
  return null;
}

/** S-01: open above 1200 px unless the user closed it; below 600 px an overlay that starts closed. */
function useDrawer(isPhone: boolean) {
  const isWide = useMedia(`@media (min-width: ${size.drawerOpensAbove + 1}px)`);
  const [chosen, setChosen] = useState(() => readStored("prosa.drawer"));
  const [isOverPage, setOverPage] = useState(false);

  const isOpen = isPhone ? isOverPage : isWide ? chosen !== "closed" : chosen === "open-narrow";
  const choose = (value: string) => {
    setChosen(value);
    writeStored("prosa.drawer", value);
  };
  const toggle = () => {
    if (isPhone) {
      setOverPage(!isOverPage);
    } else {
      choose(isOpen ? "closed" : isWide ? "open" : "open-narrow");
    }
  };
  return { isOpen, toggle, close: () => setOverPage(false) };
}

const Frame = styled("div")({ display: "flex", height: "100dvh", minWidth: 0 });
const Side = styled("div")({
  flex: "none",
  width: size.drawer,
  borderRight: `1px solid ${color.line}`,
  overflow: "hidden",
});
const Rest = styled("div")({ flex: 1, minWidth: 0, display: "flex", flexDirection: "column" });
const Content = styled("main")({
  flex: 1,
  minHeight: 0,
  overflow: "auto",
  outline: 0,
  paddingBottom: "env(safe-area-inset-bottom)",
});
const Skip = styled("a")({
  position: "fixed",
  zIndex: 2000,
  top: -60,
  left: 8,
  padding: "8px 14px",
  borderRadius: 8,
  backgroundColor: color.accent,
  color: color.onAccent,
  "&:focus": { top: 8 },
});
