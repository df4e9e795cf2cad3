import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { useFromLocation } from "#web/lib/routing/location.ts";
import { Routes, type Route } from "#web/lib/routing/router.tsx";
import { SessionProvider } from "#web/lib/session/session.ts";
import { DayProvider } from "#web/lib/text/format.ts";
import { LanguageProvider, useMessages } from "#web/lib/text/i18n.ts";
import { queryClient } from "#web/lib/records/queryClient.ts";
import { focusContentOnceSettled } from "#web/lib/browser/content-focus.ts";
import { showTitle } from "#web/lib/browser/title.ts";
import { Confirms } from "#web/ui/dialogs/Confirm.tsx";
import { globalStyle } from "#web/ui/globalStyle.ts";
import { PopupHost } from "#web/ui/latePopups.tsx";
import { ProgressBar } from "#web/ui/states.tsx";
import { addGlobalStyle } from "#web/ui/styled.ts";
import { Toasts } from "#web/ui/Toast.tsx";
import { appMessages } from "./app.i18n.ts";
import { PlaceErrorBoundary } from "#web/app/routing/ErrorBoundary.tsx";
import { RequireAccess, PrivateOnly, PublicOnly } from "#web/app/routing/guards.tsx";
import { openScreens, privateScreens, publicScreens } from "#web/app/routing/screens.ts";

const Login = lazy(async () => ({ default: (await import("./screens/Login.tsx")).Login }));
const NotFound = lazy(async () => ({ default: (await import("#web/app/routing/NotFound.tsx")).NotFound }));
const Shell = lazy(async () => ({ default: (await import("#web/app/shell/Shell.tsx")).Shell }));

addGlobalStyle(globalStyle);

/** Theme, query cache and routes. The router knows only the screens of `screens.ts`. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <LanguageProvider>
        <SessionProvider>
          <DayProvider>
            <AppRoutes />
            <Confirms />
            <PopupHost />
            <Toasts />
          </DayProvider>
        </SessionProvider>
      </LanguageProvider>
    </QueryClientProvider>
  );
}

function AppRoutes() {
  const t = useMessages(appMessages);
  const screen = useFromLocation(({ pathname }) => pathname.split("/")[1] ?? "");
  useEffect(() => {
    showTitle();
    // What had the focus went with the screen before: Tab begins in this one, unless something in it has taken the focus.
    return focusContentOnceSettled();
  }, [screen]);

  return (
    <PlaceErrorBoundary>
      <Suspense fallback={<ProgressBar label={t("loading")} />}>
        <Routes routes={routes} />
      </Suspense>
    </PlaceErrorBoundary>
  );
}

const publicRoutes: readonly Route[] = [
  { path: "/login", element: <Login /> },
  ...publicScreens.map(({ path, component: Component }) => ({ path, element: <Component /> })),
];
const privateRoutes: readonly Route[] = [
  ...privateScreens.map(({ path, component: Component, ...gate }) => ({
    path,
    element: (
      <RequireAccess gate={gate}>
        <Component />
      </RequireAccess>
    ),
  })),
  { path: "*", element: <NotFound /> },
];
const routes: readonly Route[] = [
  ...openScreens.map(({ path, component: Component }) => ({ path, element: <Component /> })),
  ...publicRoutes.map(({ path, element }) => ({ path, element: <PublicOnly>{element}</PublicOnly> })),
  {
    path: "*",
    element: (
      <PrivateOnly>
        <Shell>
          <Routes routes={privateRoutes} />
        </Shell>
      </PrivateOnly>
    ),
  },
];
