import { useEffect } from "react";
import { useUser } from "#web/lib/session/session.ts";
import { keepConversations } from "./kept.ts";

/** Keeps the conversations of the signed-in user in this browser. Renders nothing. */
export function KeptConversations() {
  const { id } = useUser();
  useEffect(keepConversations, [id]);
  return null;
}
