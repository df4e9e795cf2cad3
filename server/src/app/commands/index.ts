export { runBackup } from "./backup.ts";
export { runCompany } from "./company.ts";
export { runDoctor } from "./doctor.ts";
export { runMoveIn } from "./move-in.ts";
export { runResetPassword } from "./reset-password.ts";
export { runRestore } from "./restore.ts";
export { runSetup } from "./setup.ts";
export { runUpgradeDatabase } from "./upgrade-database.ts";
