export { DoctorTab } from "./DoctorTab.tsx";
