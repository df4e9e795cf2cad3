export { serveMedia } from "./media.ts";
export { isNavigation } from "./navigation.ts";
export { serveSourceOffer } from "./source-offer.ts";
export { loadWebApp } from "./web-app.ts";
export type { WebApp } from "./web-app.ts";
