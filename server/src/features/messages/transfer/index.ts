export { enqueueMoveUnsent, MOVE_UNSENT_TASK, moveUnsent } from "./move-unsent.jobs.ts";
