import { expect, test } from "vitest";
import { firstLoadFiles } from "./first-load.ts";

const manifest = {
  "index.html": {
    file: "assets/index.js",
    isEntry: true,
    imports: ["_react.js"],
    dynamicImports: ["_desk-3c4d.js"],
  },
  "_react.js": { file: "assets/react.js" },
  "_desk-3c4d.js": { file: "assets/desk.js", imports: ["_react.js", "_virtual.js"] },
  "_virtual.js": { file: "assets/virtual.js" },
  "src/app/screens/Dashboard.tsx": { file: "assets/dashboard.js", imports: ["_charts.js"] },
  "_charts.js": { file: "assets/charts.js" },
  "_socket-1a2b.js": { file: "assets/socket.js" },
  "src/app/shell/Shell.tsx": { file: "assets/shell.js", dynamicImports: ["_socket-1a2b.js"] },
  "src/app/screens/Login.tsx": { file: "assets/login.js", imports: ["_react.js"] },
  "src/ui/inter.woff2": { file: "assets/inter.woff2" },
};

test("the first load is the entry, the desk and what both import, each once; other screens do not count", () => {
  expect(firstLoadFiles(manifest).toSorted()).toEqual([
    "assets/desk.js",
    "assets/index.js",
    "assets/login.js",
    "assets/react.js",
    "assets/shell.js",
    "assets/socket.js",
    "assets/virtual.js",
  ]);
});

test("a build without an entry is refused instead of weighing nothing", () => {
  expect(() => firstLoadFiles({})).toThrow(/no entry/);
});

test("a build in which a part of the first load is not found is refused instead of weighing less", () => {
  const { "src/app/shell/Shell.tsx": _, ...moved } = manifest;
  expect(() => firstLoadFiles(moved)).toThrow(/Shell/);
});
