/** This browser as a device that rings while it is closed. */
import { push, type PushSubscriptionBody } from "@prosa/contract/devices";
import { call } from "#web/lib/session.ts";
import { rungHere } from "#web/lib/userList.ts";
import { askPermission, currentPermission } from "./browserNotification.ts";
import { serviceWorker } from "./serviceWorker.ts";

/** `denied`: the browser's own settings forbid it. `unsupported`: there is no way here. */
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
  return subscription && rungHere.has(userId) ? "on" : "off";
}

/** Asks the person, the push service and our server. Call it from a click. */
export async function turnOn(userId: number): Promise<DeviceState> {
  const worker = await serviceWorker();
  if (!worker || (await askPermission()) !== "granted") {
    return deviceState(userId);
  }
  const { publicKey } = await call(push.key);
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const subscription = await worker.pushManager.subscribe(options).catch(async (error: unknown) => {
    // It was made for another installation's key on this address.
    const old = await worker.pushManager.getSubscription();
    if (!old) {
      throw error;
    }
    await old.unsubscribe();
    return worker.pushManager.subscribe(options);
  });
  await call(push.subscribe, { body: subscription.toJSON() as PushSubscriptionBody });
  rungHere.set(userId, true);
  return "on";
}

export async function turnOff(userId: number): Promise<DeviceState> {
  rungHere.set(userId, false);
  const subscription = await (await serviceWorker())?.pushManager.getSubscription();
  if (subscription) {
    await call(push.unsubscribe, { body: { endpoint: subscription.endpoint } });
    await subscription.unsubscribe();
  }
  return deviceState(userId);
}

/** Says it again under this sign-in: the server rings a device only as long as the sign-in that asked for it. */
export async function renewDevice(userId: number): Promise<void> {
  if (!rungHere.has(userId) || currentPermission() !== "granted") {
    return;
  }
  const subscription = await (await serviceWorker())?.pushManager.getSubscription();
  if (subscription) {
    await call(push.subscribe, { body: subscription.toJSON() as PushSubscriptionBody });
  }
}
