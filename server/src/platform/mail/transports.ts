import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import type { Config } from "../config/index.ts";
import { NoRetry } from "../jobs/index.ts";
import type { Mail, MailTransport } from "./mail.ts";

/** The SMTP server where one is set, else files in DATA_DIR/outbox. */
export function openMail(config: Config): MailTransport {
  const { smtpUrl, from } = config.mail;
  return smtpUrl === undefined ? outboxFolder(join(config.dataDir, "outbox"), from) : smtpServer(smtpUrl, from);
}

function smtpServer(url: string, from: string): MailTransport {
  const transport = createTransport({ url, connectionTimeout: 10_000, socketTimeout: 20_000 }, { from });
  return {
    async send(mail, id) {
      try {
        await transport.sendMail({ ...mail, messageId: messageId(id, from) });
      } catch (error) {
        throw isRefusedForGood(error) ? new NoRetry(error.message, { cause: error }) : error;
      }
    },
    check: async () => void (await transport.verify()),
    close: () => transport.close(),
  };
}

/**
 * The server refused this sender, recipient or text with a 5xx. One at the greeting or the sign-in is not about the mail: the operator
 * may mend it within the hour.
 */
function isRefusedForGood(error: unknown): error is Error {
  if (!(error instanceof Error) || !("responseCode" in error) || !("code" in error)) {
    return false;
  }
  return Number(error.responseCode) >= 500 && (error.code === "EENVELOPE" || error.code === "EMESSAGE");
}

/** One `.eml` for each mail: readable in any mail program. */
function outboxFolder(folder: string, from: string): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "unix" }, { from });
  return {
    async send(mail: Mail, id) {
      const { message } = await transport.sendMail({ ...mail, messageId: messageId(id, from) });
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, `${id}.eml`), message);
    },
    check: async () => undefined,
    close: () => transport.close(),
  };
}

function messageId(id: string, from: string): string {
  const [, host = "localhost"] = /@([\w.-]+)/.exec(from) ?? [];
  return `<${id}@${host}>`;
}
