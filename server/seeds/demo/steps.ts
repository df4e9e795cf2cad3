import type { DemoFile } from "./files.ts";

/** A step of a demo conversation. `at: -1` is the last message so far, `-2` the one before. */
export type Step =
  | { readonly who: "them"; readonly says: StepContent; readonly quotes?: number; readonly as?: string }
  | {
      readonly who: "us";
      readonly says: string | (() => Promise<DemoFile> | DemoFile);
      readonly ends?: Ending;
      readonly quotes?: number;
    }
  | { readonly does: "accept"; readonly agent: AgentName }
  | { readonly does: "resolve" | "return" }
  | { readonly does: "queue"; readonly queue: QueueName }
  | { readonly does: "read" }
  | { readonly does: "edit"; readonly at: number; readonly text: string }
  | { readonly does: "revoke"; readonly at: number }
  | { readonly does: "react"; readonly at: number; readonly emoji: string; readonly by: "them" | "us" }
  | { readonly does: "call"; readonly state: "missed" | "ended" }
  | { readonly does: "wait"; readonly minutes: number };

export type StepContent =
  | string
  | { readonly file: () => Promise<DemoFile> | DemoFile; readonly caption?: string }
  | {
      readonly place: {
        readonly latitude: number;
        readonly longitude: number;
        readonly name: string;
        readonly address: string;
      };
    }
  | { readonly card: { readonly name: string; readonly number: string } };

/** Final delivery state of a message of ours. */
export type Ending = "sent" | "delivered" | "read" | "failed";
export type AgentName = "agente1" | "agente2" | "supervisor";
export type QueueName = "Vendas" | "Suporte";

export interface DemoConversation {
  readonly name: string;
  /** Digits of a person, or the id of a group. */
  readonly number: string;
  readonly isGroup?: boolean;
  readonly ago: { readonly days?: number; readonly hours?: number; readonly minutes?: number };
  /** Names of tags; one with the kanban flag is the lane. */
  readonly tags?: readonly string[];
  readonly steps: readonly Step[];
}

export const them = (says: StepContent, more: { quotes?: number; as?: string } = {}): Step => ({
  who: "them",
  says,
  ...more,
});
export const us = (
  says: Extract<Step, { who: "us" }>["says"],
  ends: Ending = "read",
  more: { quotes?: number } = {},
): Step => ({ who: "us", says, ends, ...more });
export const accept = (agent: AgentName): Step => ({ does: "accept", agent });
export const resolve: Step = { does: "resolve" };
export const returnToQueue: Step = { does: "return" };
export const read: Step = { does: "read" };
export const toQueue = (queue: QueueName): Step => ({ does: "queue", queue });
export const wait = (minutes: number): Step => ({ does: "wait", minutes });
