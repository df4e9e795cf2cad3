/** Writes `/build.txt`: the name of the build's entry script, by which an open tab learns of a newer build. */
import type { Plugin } from "vite";

export function buildName(): Plugin {
  return {
    name: "prosa-build-name",
    generateBundle(_, bundle) {
      const entry = Object.values(bundle).find(
        (file) => file.type === "chunk" && file.isEntry && file.name === "index",
      );
      this.emitFile({ type: "asset", fileName: "build.txt", source: `/${entry?.fileName ?? ""}` });
    },
  };
}
