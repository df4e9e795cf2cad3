import type { BodyIn } from "@prosa/contract/endpoint";
import { simulator } from "@prosa/contract/simulator";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#web/lib/session/session.ts";

/** Polling interval of the phones, which get no events (ms). */
const lookEvery = 1_500;

export function peopleOptions(id: number) {
  return queryOptions({
    queryKey: ["simulator", id, "people"],
    queryFn: ({ signal }) => call(simulator.people, { params: { id }, signal }),
    refetchInterval: lookEvery * 2,
  });
}

export function chatOptions(id: number, number: string) {
  return queryOptions({
    queryKey: ["simulator", id, "chat", number],
    queryFn: ({ signal }) => call(simulator.chat, { params: { id, number }, signal }),
    refetchInterval: lookEvery,
  });
}

/** An action of the simulated customer: write, send files, edit, delete, react. */
export interface CustomerAction {
  readonly body?: string;
  readonly voice?: "true";
  readonly edit?: string;
  readonly revoke?: string;
  readonly react?: string;
  readonly files?: readonly File[];
}

/** Sends messages one after another: concurrent requests may arrive in any order. */
export function useSendAsCustomer(id: number, number: string) {
  const queryClient = useQueryClient();
  return useMutation({
    scope: { id: `simulator-${id}-${number}` },
    mutationFn: ({ files, ...body }: CustomerAction) =>
      call(simulator.say, { params: { id, number }, body, ...(files && { files }) }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["simulator", id] }),
  });
}

export function useAddPerson(id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => call(simulator.addPerson, { params: { id }, body: { name } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["simulator", id] }),
  });
}

export function groupChatOptions(id: number, group: string) {
  return queryOptions({
    queryKey: ["simulator", id, "group", group],
    queryFn: ({ signal }) => call(simulator.groupChat, { params: { id, group }, signal }),
    refetchInterval: lookEvery,
  });
}

/** Writes or sends files in a group, one after another. */
export function useSendInGroup(id: number, group: string) {
  const queryClient = useQueryClient();
  return useMutation({
    scope: { id: `simulator-${id}-${group}` },
    mutationFn: ({
      files,
      ...body
    }: {
      readonly number: string;
      readonly body: string;
      readonly files?: readonly File[];
    }) => call(simulator.groupSay, { params: { id, group }, body, ...(files && { files }) }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["simulator", id] }),
  });
}

export function useAddGroup(id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { readonly name: string; readonly numbers: string[] }) =>
      call(simulator.addGroup, { params: { id }, body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["simulator", id] }),
  });
}

export function useShowPicture(id: number, number: string) {
  return useMutation({
    mutationFn: (file: File) => call(simulator.picture, { params: { id, number }, body: {}, files: [file] }),
  });
}

export function useLineVerb(id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (act: PhoneAction): Promise<void> => {
      if (act.verb === "scan") {
        await call(simulator.scan, { params: { id } });
      } else if (act.verb === "lively") {
        await call(simulator.lively, { params: { id }, body: { lively: act.lively } });
      } else {
        await call(simulator.fault, {
          params: { id },
          body: { kind: act.verb, ...(act.number !== undefined && { number: act.number }) },
        });
      }
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["simulator", id] }),
  });
}

/** Limits new conversations of the line, or lifts the limits. */
export function useLimitLine(id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyIn<typeof simulator.limit>) => call(simulator.limit, { params: { id }, body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["simulator", id] }),
  });
}

export type PhoneAction =
  | { readonly verb: "scan" }
  | { readonly verb: "lively"; readonly lively: boolean }
  | { readonly verb: "drop" | "loggedOut" | "call"; readonly number?: string };

/** Marks the chat as read by the customer: the agent sees blue ticks. */
export function markReadAsCustomer(id: number, number: string): Promise<unknown> {
  return call(simulator.read, { params: { id, number } });
}
