import { expect, test } from "vitest";
import { warningMail } from "./warning-mail.ts";

const invoice = {
  id: 1,
  companyId: 1,
  company: "Doçura & Cia",
  recipients: [],
  lastDay: "2026-08-09",
  due: 1_234.5,
};

test.each([
  ["pt", 1, "Sua assinatura vence em 1 dia(s)", "9 de agosto de 2026"],
  ["en", 1, "Your subscription expires in 1 day", "August 9, 2026"],
  ["en", 3, "Your subscription expires in 3 days", "August 9, 2026"],
  ["es", 3, "Su suscripción vence en 3 días", "9 de agosto de 2026"],
  ["es", 0, "Su suscripción vence hoy", "9 de agosto de 2026"],
] as const)(
  "the warning in %s, %i days before, names the day in its language and the price in reais (F-05)",
  (language, days, subject, day) => {
    const mail = warningMail({ ...invoice, language, days }, "ana@example.com", "https://prosa.example");
    expect(mail.subject).toBe(subject);
    expect(mail.text).toContain(day);
    expect(mail.text).toContain("R$\u00a01.234,50");
    expect(mail.text).toContain("https://prosa.example/financeiro");
  },
);
