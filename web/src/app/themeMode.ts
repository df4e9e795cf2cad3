/** Light, dark, or as the system is: one attribute on the page, remembered in this browser. */
import { useSyncExternalStore } from "react";
import { remember, remembered } from "#web/lib/storage.ts";

export type ThemeName = "light" | "dark";

const listeners = new Set<() => void>();
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
systemIsDark.addEventListener("change", show);
window.addEventListener("storage", ({ key }) => key === "prosa.theme" && show());
show();

export function useTheme(): ThemeName {
  return useSyncExternalStore(subscribe, currentTheme);
}

/** What the toggle does: the other one, from now on. */
export function switchTheme(): void {
  remember("prosa.theme", currentTheme() === "dark" ? "light" : "dark");
  show();
}

function currentTheme(): ThemeName {
  const chosen = remembered("prosa.theme");
  return chosen === "light" || chosen === "dark" ? chosen : systemIsDark.matches ? "dark" : "light";
}

function show(): void {
  document.documentElement.dataset.theme = currentTheme();
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
