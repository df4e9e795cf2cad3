import type { FastifyRequest } from "fastify";

/** Paths that a browser may open and that are no pages of the web app. */
const serverPaths = /^\/(docs|media|health|ready|metrics|version|source|assets)(\/|\?|$)/;

/**
 * Is the request a page navigation? `/tickets`, `/contacts`, `/users` … are both API calls and pages: a navigation
 * accepts HTML, has no bearer token, and modern browsers send Sec-Fetch-Dest.
 */
export function isNavigation(request: FastifyRequest): boolean {
  const { method, headers, url } = request;
  const destination = headers["sec-fetch-dest"];
  return (
    (method === "GET" || method === "HEAD") &&
    headers.authorization === undefined &&
    // A service worker that fetches the page for the browser sends "empty".
    (destination === undefined || destination === "document" || destination === "empty") &&
    (headers.accept ?? "").includes("text/html") &&
    !serverPaths.test(url)
  );
}
