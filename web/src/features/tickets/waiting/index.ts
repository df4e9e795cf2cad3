export { WaitingText, WaitingTime } from "./WaitingTime.tsx";
