import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { BrowserRouter, Navigate, Route, Routes, useLocation } from "react-router";
import { useMessages } from "#web/lib/text/i18n.ts";
import { queryClient } from "#web/lib/records/queryClient.ts";
import { showTitle } from "#web/lib/browser/title.ts";
import { Confirms } from "#web/ui/Confirm.tsx";
import { globalStyle } from "#web/ui/globalStyle.ts";
import { ProgressBar } from "#web/ui/states.tsx";
import { addGlobalStyle } from "#web/ui/styled.ts";
import { Toasts } from "#web/ui/Toast.tsx";
import { appMessages } from "./app.i18n.ts";
import { ErrorBoundary } from "#web/app/routing/ErrorBoundary.tsx";
import { RequireAccess, PrivateOnly, PublicOnly } from "#web/app/routing/guards.tsx";
import { NotFound } from "#web/app/routing/NotFound.tsx";
import { privateScreens, publicScreens } from "#web/app/routing/screens.ts";

const Login = lazy(async () => ({ default: (await import("./screens/Login.tsx")).Login }));
const Shell = lazy(async () => ({ default: (await import("#web/app/shell/Shell.tsx")).Shell }));

/** Public addresses of the specification whose screens do not exist yet. */
const unbuilt = ["/signup", "/forgetpsw"].filter((path) => !publicScreens.some((built) => built.path === path));

addGlobalStyle(globalStyle);

/** Theme, query cache and routes. The router knows only the screens of `screens.ts`. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <AppRoutes />
      </BrowserRouter>
      <Confirms />
      <Toasts />
    </QueryClientProvider>
  );
}

function AppRoutes() {
  const t = useMessages(appMessages);
  const { pathname } = useLocation();
  useEffect(() => {
    showTitle();
  }, [pathname]);

  return (
    <ErrorBoundary place={pathname}>
      <Suspense fallback={<ProgressBar label={t("loading")} />}>
        <Routes>
          <Route element={<PublicOnly />}>
            <Route path="/login" element={<Login />} />
            {unbuilt.map((path) => (
              <Route key={path} path={path} element={<Navigate to="/login" replace />} />
            ))}
            {publicScreens.map(({ path, component: Component }) => (
              <Route key={path} path={path} element={<Component />} />
            ))}
          </Route>
          <Route
            element={
              <PrivateOnly>
                <Shell />
              </PrivateOnly>
            }
          >
            {privateScreens.map(({ path, component: Component, ...gate }) => (
              <Route
                key={path}
                path={path}
                element={
                  <RequireAccess gate={gate}>
                    <Component />
                  </RequireAccess>
                }
              />
            ))}
            {!privateScreens.some(({ path }) => path === "/") && (
              <Route path="/" element={<Navigate to="/tickets" replace />} />
            )}
            <Route path="*" element={<NotFound />} />
          </Route>
        </Routes>
      </Suspense>
    </ErrorBoundary>
  );
}
