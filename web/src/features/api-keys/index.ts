export { ApiKeysTab } from "./ApiKeysTab.tsx";
