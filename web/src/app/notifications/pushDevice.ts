/** Web push subscription of this browser. */
import { push, type PushSubscriptionBody } from "@prosa/contract/devices";
import { call } from "#web/lib/session/session.ts";
import { pushEnabledUsers } from "#web/lib/session/userList.ts";
import { askPermission, currentPermission } from "./browserNotification.ts";
import { serviceWorker } from "./serviceWorker.ts";

/** `denied`: blocked by the browser's settings. `unsupported`: not available in this browser. */
export type DeviceState = "on" | "off" | "denied" | "unsupported";

export async function deviceState(userId: number): Promise<DeviceState> {
  const worker = await serviceWorker();
  if (!worker || !("pushManager" in worker)) {
    return "unsupported";
  }
  if (currentPermission() === "denied") {
    return "denied";
  }
  const subscription = await worker.pushManager.getSubscription();
  return subscription && pushEnabledUsers.has(userId) ? "on" : "off";
}

/** Asks for permission, subscribes at the push service and registers at our server. Call it from a click. */
export async function turnOn(userId: number): Promise<DeviceState> {
  const worker = await serviceWorker();
  if (!worker || (await askPermission()) !== "granted") {
    return deviceState(userId);
  }
  await register(await subscribe(worker.pushManager));
  pushEnabledUsers.set(userId, true);
  return "on";
}

export async function turnOff(userId: number): Promise<DeviceState> {
  pushEnabledUsers.set(userId, false);
  const subscription = await (await serviceWorker())?.pushManager.getSubscription();
  if (subscription) {
    await call(push.unsubscribe, { body: { endpoint: subscription.endpoint } });
    await subscription.unsubscribe();
  }
  return deviceState(userId);
}

/**
 * Registers again under this session: the server pushes to a device only while the session that registered it exists. Subscribes again
 * where the browser dropped the subscription, or where the installation has new keys.
 */
export async function renewDevice(userId: number): Promise<void> {
  if (!pushEnabledUsers.has(userId) || currentPermission() !== "granted") {
    return;
  }
  const pushManager = (await serviceWorker())?.pushManager;
  if (pushManager) {
    await register(await subscribe(pushManager));
  }
}

async function subscribe(pushManager: PushManager): Promise<PushSubscription> {
  const { publicKey } = await call(push.key);
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  return pushManager.subscribe(options).catch(async (error: unknown) => {
    // The subscription belongs to another key: of another installation at this URL, or of this one before it lost its secret.
    const old = await pushManager.getSubscription();
    if (!old) {
      throw error;
    }
    await old.unsubscribe();
    return pushManager.subscribe(options);
  });
}

async function register(subscription: PushSubscription): Promise<void> {
  await call(push.subscribe, { body: subscription.toJSON() as PushSubscriptionBody });
}
