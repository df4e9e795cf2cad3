import type { FastifyRequest } from "fastify";

/** Addresses that a browser may open itself and that are not screens of the web app. */
const notScreens = /^\/(docs|media|health|ready|metrics|version|source|assets)(\/|\?|$)/;

/**
 * Is this a browser that opens a screen? `/tickets`, `/contacts`, `/users` … are both API calls and screens: a
 * navigation asks for HTML, brings no bearer token, and says so in Sec-Fetch-Dest where the browser is of this decade.
 */
export function isNavigation(request: FastifyRequest): boolean {
  const { method, headers, url } = request;
  const destination = headers["sec-fetch-dest"];
  return (
    (method === "GET" || method === "HEAD") &&
    headers.authorization === undefined &&
    // a service worker that fetches the page for the browser has no destination of its own: "empty"
    (destination === undefined || destination === "document" || destination === "empty") &&
    (headers.accept ?? "").includes("text/html") &&
    !notScreens.test(url)
  );
}
