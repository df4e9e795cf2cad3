export { BotPreview } from "./BotPreview.tsx";
