import type { DestinationStream } from "pino";

const colors: Record<string, string> = {
  warn: "\u001b[33m",
  error: "\u001b[31m",
  fatal: "\u001b[31m",
  debug: "\u001b[2m",
};
const plain = "\u001b[0m";

/** Readable lines for a terminal: `12:03:44 info  message key=value …`, the stack of an error below. */
export function prettyLines(out: { write(text: string): unknown }): DestinationStream {
  return {
    write(line) {
      out.write(prettyLine(line));
    },
  };
}

function prettyLine(line: string): string {
  // On a terminal there is one process, so host, pid and role are left out.
  const {
    time,
    level,
    msg,
    err,
    host: _host,
    pid: _pid,
    role: _role,
    ...rest
  } = JSON.parse(line) as Record<string, unknown>;
  const facts = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const stack = err !== null && typeof err === "object" && "stack" in err ? `\n${String(err.stack)}` : "";
  const label = String(level);
  return `${String(time).slice(11, 19)} ${colors[label] ?? ""}${label.padEnd(5)}${plain} ${[String(msg ?? ""), ...facts].join(" ")}${stack}\n`;
}
