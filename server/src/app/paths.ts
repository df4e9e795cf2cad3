import { fileURLToPath } from "node:url";

const root = new URL("../../../", import.meta.url);

/** The built web app. */
export const webFolder = fileURLToPath(new URL("web/dist", root));
