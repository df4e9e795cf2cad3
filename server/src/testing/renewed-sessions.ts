import { openSession } from "#server/features/auth/index.ts";
import type { MovedClock } from "#server/platform/clock/index.ts";
import type { TestApp, TestCaller } from "./app.ts";
import type { TestUser } from "./factories.ts";

/** Less than the days after which an unused session ends. */
const renewAfterMs = 5 * 86_400_000;

/** For stories of weeks and years: users are signed in, again after the days in which a session ends. */
export function createRenewedSessions(appOf: () => TestApp, clock: Pick<MovedClock, "now">) {
  const sessions = new Map<number, { readonly claims: TestUser; readonly at: number }>();

  async function sessionOf(user: TestUser): Promise<TestUser> {
    const known = sessions.get(user.userId);
    const at = clock.now().getTime();
    if (known && Math.abs(at - known.at) < renewAfterMs) {
      return known.claims;
    }
    const account = { id: user.userId, company_id: user.companyId };
    const { sessionId } = await openSession(appOf().services, account, { address: "127.0.0.1", userAgent: "test" });
    const claims = { ...user, sessionId };
    sessions.set(user.userId, { claims, at });
    return claims;
  }

  return {
    sessionOf,
    as: async (user: TestUser): Promise<TestCaller> => appOf().as(await sessionOf(user)),
    /** The user signs in anew before the next call. */
    forget: ({ userId }: TestUser) => sessions.delete(userId),
  };
}
