import type { Services } from "#server/platform/services.ts";

/** A sign-in that is printed at start. */
export interface DemoSignIn {
  readonly who: string;
  readonly email: string;
  readonly password: string;
}

/**
 * Fills an empty database with the demo company, through the services, and returns its sign-ins. On a database that
 * has companies already it changes nothing; where the demo is among them its sign-ins are returned again.
 */
export async function prepareDemo(services: Services): Promise<readonly DemoSignIn[]> {
  services.log.debug("no demo is told yet");
  return [];
}
