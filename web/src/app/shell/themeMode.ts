/** Light, dark or the system's theme: one attribute on the page, stored in this browser. */
import { useSyncExternalStore } from "react";
import { writeStored, readStored } from "#web/lib/session/storage.ts";

export type ThemeName = "light" | "dark";

const listeners = new Set<() => void>();
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
systemIsDark.addEventListener("change", show);
window.addEventListener("storage", ({ key }) => key === "prosa.theme" && show());
show();

export function useTheme(): ThemeName {
  return useSyncExternalStore(subscribe, currentTheme);
}

/** Switches to the other theme. */
export function switchTheme(): void {
  writeStored("prosa.theme", currentTheme() === "dark" ? "light" : "dark");
  show();
}

function currentTheme(): ThemeName {
  const chosen = readStored("prosa.theme");
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
