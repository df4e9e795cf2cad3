import { styled } from "#web/ui/styled.ts";
import { Suspense, useEffect, useState, type ReactNode } from "react";
import { focusContentOnceSettled } from "#web/lib/browser/content-focus.ts";
import { useFrameWishes } from "#web/lib/browser/frame.ts";
import { useHeldWhilePressed } from "#web/lib/browser/press.ts";
import { useMedia, useShortcut } from "#web/lib/browser/hooks.ts";
import { followVisibleHeight, VISIBLE_HEIGHT } from "#web/lib/browser/visibleHeight.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { shortcuts } from "#web/lib/browser/shortcuts.ts";
import { openSocket, useRoom } from "#web/lib/realtime/socket.ts";
import { writeStored, readStored } from "#web/lib/session/storage.ts";
import { Drawer } from "#web/ui/dialogs/Dialog.tsx";
import { ProgressBar } from "#web/ui/states.tsx";
import { color, media, size } from "#web/ui/theme.ts";
import { appMessages } from "#web/app/app.i18n.ts";
import { PlaceErrorBoundary } from "#web/app/routing/ErrorBoundary.tsx";
import { menuFor } from "./menu.ts";
import { builtPaths, privateScreens } from "#web/app/routing/screens.ts";
import { currentFlags, useSessionEvents } from "#web/app/routing/sessionEvents.ts";
import { lateDialog } from "#web/ui/dialogs/lateDialog.tsx";
import { PaletteFrame } from "./palette/PaletteFrame.tsx";
import { SideMenu } from "./SideMenu.tsx";
import { useSlots } from "./slots.ts";
import { TopBar } from "./TopBar.tsx";

const HelpSheet = lateDialog(async () => (await import("./HelpSheet.tsx")).HelpSheet);

/** The frame of every private screen: menu, top bar, socket. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const t = useMessages(appMessages);
  const user = useUser();
  const isPhone = useMedia(media.phone);
  const { background } = useSlots();
  const wishes = useFrameWishes();
  // The menu that gives way moves the whole screen.
  const drawer = useDrawer(isPhone, useHeldWhilePressed(wishes.minWidth));
  const [isFinding, setFinding] = useState(false);
  const find = () => setFinding(true);
  const [isHelping, setHelping] = useState(false);
  const groups = menuFor(user, currentFlags(), builtPaths(privateScreens));

  useRoom("joinNotification");
  useSessionEvents();
  useShortcut(shortcuts.commands, find);
  useShortcut(shortcuts.help, () => setHelping(true));

  useEffect(followVisibleHeight, []);

  const menu = (isRail: boolean) => <SideMenu groups={groups} isRail={isRail} onNavigate={drawer.close} />;
  const isAlone = isPhone && wishes.isAlone;

  return (
    <Frame>
      <Skip href="#content">{t("skip")}</Skip>
      {!isPhone && <Side data-rail={!drawer.isBeside || undefined}>{menu(!drawer.isBeside)}</Side>}
      {drawer.isOver && (
        <Drawer label={t("mainMenu")} side="left" onClose={drawer.close}>
          {menu(false)}
        </Drawer>
      )}
      <Rest>
        {!isAlone && (
          <TopBar
            isDrawerOpen={drawer.isBeside || drawer.isOver}
            isPhone={isPhone}
            onToggleDrawer={drawer.toggle}
            onOpenCommands={find}
          />
        )}
        <Content id="content" tabIndex={-1}>
          <PlaceErrorBoundary>
            <Suspense fallback={<ProgressBar label={t("loading")} />}>
              {children}
              <Live key={user.id} />
            </Suspense>
          </PlaceErrorBoundary>
        </Content>
      </Rest>
      <PaletteFrame
        groups={groups}
        isOpen={isFinding}
        onHelp={() => setHelping(true)}
        onClose={() => setFinding(false)}
      />
      {isHelping && <HelpSheet onClose={() => setHelping(false)} />}
      {background.map((Resident, index) => (
        <Suspense key={index}>
          <Resident />
        </Suspense>
      ))}
    </Frame>
  );
}

/** What waits for the first screen to be shown. */
function Live() {
  // The socket's handshake names the screen's rooms, so that no fetch is repeated.
  useEffect(openSocket, []);
  // After a sign-in or a reload there was no content to have the focus when the address changed.
  useEffect(focusContentOnceSettled, []);
  return null;
}

/**
 * S-01: the menu is open above 1200 px unless the user closed it, and an overlay below 600 px. Closed, and wherever the screen's
 * own width would suffer, it is a rail; opened there it lies over the page until something is chosen.
 */
function useDrawer(isPhone: boolean, neededWidth: number) {
  const isWide = useMedia(`@media (min-width: ${size.drawerOpensAbove + 1}px)`);
  const hasRoom = useMedia(`@media (min-width: ${size.drawer + neededWidth}px)`);
  const [chosen, setChosen] = useState(() => readStored("prosa.drawer"));
  const [isOver, setOver] = useState(false);

  const isBeside = !isPhone && hasRoom && (isWide ? chosen !== "closed" : chosen === "open-narrow");
  const toggle = () => {
    if (isPhone || !hasRoom) {
      setOver(!isOver);
    } else {
      const value = isBeside ? "closed" : isWide ? "open" : "open-narrow";
      setChosen(value);
      writeStored("prosa.drawer", value);
    }
  };
  return { isBeside, isOver: isOver && (isPhone || !hasRoom), toggle, close: () => setOver(false) };
}

const Frame = styled("div")({ display: "flex", height: `var(${VISIBLE_HEIGHT}, 100dvh)`, minWidth: 0 });
const Side = styled("div")({
  flex: "none",
  width: size.drawer,
  borderRight: `1px solid ${color.line}`,
  overflow: "hidden",
  "&[data-rail]": { width: size.rail },
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
  [media.coarse]: { padding: "12px 14px" },
});
