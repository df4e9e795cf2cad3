import { doctor } from "@prosa/contract";
import { redactError } from "#server/features/dead-jobs/index.ts";
import { languageOf, serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { sendMail } from "#server/platform/mail/index.ts";
import { examineRunning } from "./index.ts";
import { testMail } from "./test-mail.ts";

/** Each look asks the database, the bucket, the mail server and the public address. */
const lookRate = { max: 20, perSeconds: 60 };
const mailRate = { max: 5, perSeconds: 300 };

export function doctorRoutes(api: Api): void {
  const { services } = api;
  const { limiter, clock, config } = services;
  serve(
    api,
    doctor.examine,
    async (_edge, { request }) => {
      limiter.limit("doctor", lookRate);
      const findings = await examineRunning(services, languageOf(request), redactError);
      return { findings: [...findings], at: clock.now().toISOString(), publicUrl: config.publicUrl ?? null };
    },
    { transaction: "none" },
  );
  serve(api, doctor.testMail, async (ctx, { request }) => {
    limiter.limit("doctor mail", mailRate);
    sendMail(ctx, await testMail(ctx, languageOf(request), services.publicUrl()));
    return { message: "Mail queued" };
  });
}
