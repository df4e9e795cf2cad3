import { invitations, type InvitationBody } from "@prosa/contract/invitations";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callOnce } from "#web/lib/api/call-once.ts";
import { call } from "#web/lib/session/session.ts";
import { usersResource } from "./users.api.ts";

const usersKey = { queryKey: ["users", "list"] } as const;

/** Invites a user. */
export function useInvite() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: InvitationBody) => callOnce(invitations.create, { body }),
    onSuccess: () => void queryClient.invalidateQueries(usersKey),
  });
}

/** Makes a new link; the former one no longer works. */
export function useRenewInvitation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(invitations.renew, { params: { id } }),
    onSuccess: ({ user }) => usersResource.put(queryClient, user),
  });
}

/** Cancels an invitation; its user is gone. */
export function useCancelInvitation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(invitations.cancel, { params: { id } }),
    onSuccess: (_, id) => usersResource.drop(queryClient, id),
    // refused: somebody else was quicker, and the list shows who
    onError: () => queryClient.invalidateQueries(usersKey),
  });
}
