export { installedMajor, locateBinaries, packageName } from "./binaries.ts";
export { hasEmbedded, startEmbedded } from "./embedded.ts";
export type { EmbeddedDatabase, EmbeddedOptions } from "./embedded.ts";
export { countWrites, hasOtherClients } from "./other-clients.ts";
export { majorOf, replaceCluster } from "./replace-cluster.ts";
