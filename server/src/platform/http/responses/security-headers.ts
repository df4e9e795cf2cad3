import type { FastifyInstance } from "fastify";

/**
 * What a page of ours may load: itself, inline styles (Emotion), blob media of the composer, the wasm encoder of voice
 * notes, its socket. Profile pictures may come from WhatsApp's own hosts, pictures of help videos from YouTube's; its player
 * is the only page of others that stands in a frame of ours.
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

/** Files of strangers: never script, never a frame of ours. */
export const mediaPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; sandbox";

/** Headers on every answer; pages and media add their policy. Answers of the API are never kept by a cache. */
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
  });
}
