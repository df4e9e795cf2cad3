/** Every screen that is built, for journeys that look at all of them. Join it when a screen joins the router. */
export const screens = [
  { name: "desk", path: "/tickets" },
  { name: "connections", path: "/connections" },
  { name: "simulator", path: "/simulator" },
] as const;
