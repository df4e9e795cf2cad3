/** What a previewed conversation shows. Pure: the turns that were played in, lines out. */
import type { botPreview } from "@prosa/contract/bot";
import type { BodyIn, ResponseOf } from "@prosa/contract/endpoint";

export type PreviewAnswer = ResponseOf<typeof botPreview.turn>;
export type CustomerKind = NonNullable<BodyIn<typeof botPreview.turn>["kind"]>;

/** What the user lets happen: the customer sends something, time passes, or an agent resolves the conversation. */
export type PreviewEvent =
  | { readonly event: "message"; readonly kind: CustomerKind; readonly text: string }
  | { readonly event: "hourLater" }
  | { readonly event: "resolved" };

export interface PreviewTurn {
  readonly happened: PreviewEvent;
  /** Absent while it is asked for, and after an error. */
  readonly played?: { readonly at: Date; readonly answer: PreviewAnswer };
  /** The server could not be asked: the bot knows nothing of it. */
  readonly hasFailed?: true;
}

/** Why the bot said nothing. */
export type Silence = "silent" | "tooEarly" | "staysResolved" | "assistantSilent";

export type PreviewLine =
  | { readonly by: "clock"; readonly at: Date; readonly isHourLater: boolean }
  | { readonly by: "customer"; readonly kind: CustomerKind; readonly text: string }
  | { readonly by: "bot"; readonly message: PreviewAnswer["messages"][number] }
  | { readonly by: "silence"; readonly reason: Silence; readonly assistant: string | null }
  | { readonly by: "failure" }
  | { readonly by: "agent" }
  | { readonly by: "reopening" }
  | { readonly by: "rating"; readonly rating: number }
  | {
      readonly by: "status";
      readonly outcome: PreviewAnswer["outcome"];
      readonly queue: PreviewAnswer["queue"];
      readonly assistant: string | null;
    };

/** Turn by turn what happened and what it led to, so that answers keep their order however fast the customer writes. */
export function linesOf(turns: readonly PreviewTurn[]): PreviewLine[] {
  return turns.flatMap((turn, index) => {
    const before = turns.slice(0, index).findLast(({ played }) => played !== undefined)?.played?.answer;
    const begins = before === undefined && turn.played;
    return [
      ...(begins ? [{ by: "clock", at: begins.at, isHourLater: false } as const] : []),
      ...linesOfEvent(turn),
      ...(turn.played ? linesOfAnswer(turn.happened, turn.played.answer, before) : []),
      ...(turn.hasFailed ? [{ by: "failure" } as const] : []),
    ];
  });
}

function linesOfEvent({ happened, played, hasFailed }: PreviewTurn): PreviewLine[] {
  switch (happened.event) {
    case "message":
      return [{ by: "customer", kind: happened.kind, text: happened.text }];
    case "resolved":
      return hasFailed ? [] : [{ by: "agent" }];
    case "hourLater":
      return played ? [{ by: "clock", at: new Date(played.answer.at), isHourLater: true }] : [];
  }
}

/** What the bot said, or why it is silent, and a note on a rating or a change of queue or state. */
function linesOfAnswer(
  { event }: PreviewEvent,
  answer: PreviewAnswer,
  before: PreviewAnswer | undefined,
): PreviewLine[] {
  const { messages, outcome, queue, assistant, rating, isTooEarly } = answer;
  const isNews = outcome !== (before?.outcome ?? "bot") || queue?.id !== before?.queue?.id;
  // That it is closed stands in the agent's line, that the bot has it in what the bot says.
  const isTold = outcome !== "closed" && (outcome !== "bot" || queue !== null);
  const isSilent = event === "message" && messages.length === 0;
  return [
    ...(before?.outcome === "closed" && outcome !== "closed" ? [{ by: "reopening" } as const] : []),
    ...messages.map((message): PreviewLine => ({ by: "bot", message })),
    ...(isSilent ? [{ by: "silence", reason: isTooEarly ? "tooEarly" : silences[outcome], assistant } as const] : []),
    ...(rating === null ? [] : [{ by: "rating", rating } as const]),
    ...(isNews && isTold ? [{ by: "status", outcome, queue, assistant } as const] : []),
  ];
}

const silences: Readonly<Record<PreviewAnswer["outcome"], Silence>> = {
  bot: "silent",
  person: "silent",
  assistant: "assistantSilent",
  closed: "staysResolved",
};
