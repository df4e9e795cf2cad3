/** Where features plug into the shell: marks beside menu entries, bells in the top bar, work that runs while signed in. */
import type { ComponentType } from "react";
import type { MenuKey } from "./menu.ts";
import { ConnectionsBadge } from "./ConnectionsBadge.tsx";

/** A mark at the right end of an entry: a count, "!" or a dot. */
export const menuMarks: Readonly<Partial<Record<MenuKey, ComponentType>>> = { connections: ConnectionsBadge };

/** Bells, left to right: tickets, announcements, chats. */
export const topBarBells: readonly ComponentType[] = [];

/** Components without a face, mounted once while somebody is signed in: sounds, notifications. */
export const residents: readonly ComponentType[] = [];
