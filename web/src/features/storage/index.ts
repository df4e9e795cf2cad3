export { StorageNotice } from "./StorageNotice.tsx";
