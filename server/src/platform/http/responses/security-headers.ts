import type { FastifyInstance } from "fastify";

/**
 * Content-Security-Policy of pages: own scripts, inline styles (Emotion), blob media of the composer, the wasm encoder of
 * voice notes, the socket. Profile pictures may come from hosts of WhatsApp, thumbnails of help videos from YouTube, whose
 * player is the only foreign frame.
 */
export const pagePolicy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: https:",
  "media-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self' ws: wss: blob:",
  "worker-src 'self' blob:",
  "frame-src 'self' blob: https://www.youtube-nocookie.com",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** Content-Security-Policy of media files, which are untrusted: no script, sandboxed. */
export const mediaPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; sandbox";

/** Pages whose address is a secret, which their requests must not carry on in Referer: the link of an invitation. */
const secretPages = /^\/convite(\/|$)/;

/** Headers of every response; pages and media add their policy. API responses are never cached. */
export function addSecurityHeaders(app: FastifyInstance, options: { readonly isHttps: boolean }): void {
  const headers = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "microphone=(self), camera=(self), geolocation=(), payment=()",
    ...(options.isHttps && { "strict-transport-security": "max-age=31536000" }),
  };
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(headers).header("x-request-id", request.id).header("cache-control", "no-store");
    if (secretPages.test(request.url)) {
      reply.header("referrer-policy", "no-referrer");
    }
  });
}
