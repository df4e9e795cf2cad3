import type { Feature } from "#server/platform/feature.ts";
import { pushToDevice, notifyForMessage } from "./devices.jobs.ts";
import { sealedDevices } from "./devices.queries.ts";
import { devicesRoutes } from "./devices.routes.ts";
import { PUSH_TASK, NOTIFY_TASK } from "./devices.service.ts";
import { postPush } from "./post-push.ts";
import type { PostPush } from "./post-push.ts";

/** The feature with the real `postPush`, or with that of a test. */
export function createDevicesFeature(post: PostPush): Feature {
  return {
    name: "devices",
    routes: devicesRoutes,
    sealed: sealedDevices,
    renamedTasks: [NOTIFY_TASK],
    waitingTasks: [PUSH_TASK],
    tasks: (services) => ({ [NOTIFY_TASK.name]: notifyForMessage, [PUSH_TASK]: pushToDevice(services, post) }),
  };
}

export const feature = createDevicesFeature(postPush);
