export { HelpsTab } from "./HelpsTab.tsx";
export { HelpVideos } from "./HelpVideos.tsx";
