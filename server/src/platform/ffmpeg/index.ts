export { FfmpegError, runFfmpeg } from "./run.ts";
