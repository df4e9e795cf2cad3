import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany } from "#server/testing/factories.ts";

/**
 * The calls of both specifications' section 7, spelled as they spell them: some with a slash at the end. Calls of what is
 * not built yet (invoices, campaigns, files) join with it.
 */
const calls = `
  POST /auth/login
  POST /auth/refresh_token
  DELETE /auth/logout
  GET /auth/me
  GET /version
  GET /settings/
  PUT /settings/call
  GET /whatsapp/?session=0
  GET /whatsapp/1?session=0
  POST /whatsapp
  PUT /whatsapp/1
  DELETE /whatsapp/1
  POST /whatsappsession/1
  PUT /whatsappsession/1
  DELETE /whatsappsession/1
  GET /queue
  GET /queue?companyId=1
  GET /queue/1
  POST /queue
  PUT /queue/1
  DELETE /queue/1
  GET /queue-options?queueId=1&parentId=-1
  POST /queue-options
  PUT /queue-options/1
  DELETE /queue-options/1
  GET /users/1
  POST /users
  PUT /users/1
  DELETE /users/1
  GET /users/list?companyId=1
  GET /users/?searchParam=a&pageNumber=1
  GET /contacts?searchParam=a&pageNumber=1&date=&dateStart=&dateEnd=
  GET /contacts/?searchParam=a&pageNumber=1
  GET /contacts/1
  POST /contacts
  PUT /contacts/1
  GET /contacts/list?companyId=1
  POST /contacts/import
  DELETE /contacts/1
  POST /tickets
  PUT /tickets/1
  DELETE /tickets/1
  GET /tickets/1
  GET /tickets/u/8f14e45f-ceea-467f-a8d1-6b2f8a0b9d10
  GET /tickets?pageNumber=1&searchParam=&status=open&showAll=true&tags=[]&users=[]&queueIds=[1]&date=&updatedAt=&withUnreadMessages=false
  GET /messages/1?pageNumber=1
  POST /messages/1
  POST /messages/edit/1
  DELETE /messages/1
  GET /dashboard?days=7&date_from=&date_to=&products=[]
  GET /dashboard/ticketsUsers?initialDate=2026-01-01&finalDate=2026-01-31&companyId=1
  GET /dashboard/ticketsDay?initialDate=2026-01-01&finalDate=2026-01-31&companyId=1
  GET /products/list
  GET /products/
  GET /products/1
  POST /products
  PUT /products/1
  DELETE /products/1
  GET /tags/list
  GET /tags/?searchParam=a&pageNumber=1
  GET /tags?companyId=1
  GET /tags/kanban
  GET /tags/1
  POST /tags
  PUT /tags/1
  DELETE /tags/1
  POST /tags/sync
  GET /ticket-products/1
  POST /ticket-products/1/1
  DELETE /ticket-products/1/1
  POST /ticket-notes
  DELETE /ticket-notes/1
  GET /ticket-notes/list?ticketId=1&contactId=1
  GET /quick-messages/list?companyId=1&userId=1
  GET /quick-messages?searchParam=a&pageNumber=1&userId=1
  GET /quick-messages/1
  POST /quick-messages
  PUT /quick-messages/1
  DELETE /quick-messages/1
  POST /quick-messages/1/media-upload
  DELETE /quick-messages/1/media-upload
  GET /prompt
  GET /prompt/1
  POST /prompt
  PUT /prompt/1
  DELETE /prompt/1
  GET /queueIntegration/?searchParam=a&pageNumber=1
  GET /queueIntegration/1
  POST /queueIntegration
  PUT /queueIntegration/1
  DELETE /queueIntegration/1
  GET /schedules/?searchParam=a&pageNumber=1
  GET /schedules/1
  POST /schedules
  PUT /schedules/1
  DELETE /schedules/1
  POST /companies
  PUT /companies/1
  DELETE /companies/1
  GET /companies/list
  GET /companies
  GET /companies/1
  PUT /companies/1/schedules
  GET /companies/listPlan/1
  GET /plans/list
  GET /plans/all
  GET /plans
  GET /plans/1
  POST /plans
  PUT /plans/1
  DELETE /plans/1
  GET /chats
  POST /chats
  PUT /chats/1
  DELETE /chats/1
  GET /chats/1/messages?pageNumber=1
  POST /chats/1/messages
  POST /chats/1/read
  GET /helps
  GET /helps/list
  POST /helps
  PUT /helps/1
  DELETE /helps/1`
  .trim()
  .split("\n")
  .map((line) => line.trim().split(" ") as [Method, string]);
type Method = "GET" | "POST" | "PUT" | "DELETE";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test.each(calls)("%s %s is served, as the specification spells it (T-23, E-03)", async (method, url) => {
  const { statusCode, body } = await app.product.http.fastify.inject({ method, url });
  // Without a session a served path answers 401 or its result, an unserved one 404.
  const isUnserved = statusCode === 404 && body.includes("ERR_NOT_FOUND");
  expect([url, isUnserved]).toEqual([url, false]);
});

test("a trailing slash changes nothing, and an unknown path stays unknown (T-23)", async () => {
  const { admin } = await aCompany(app);
  const lists = calls.filter(([method, url]) => method === "GET" && /^\/[a-z-]+\/(\?|$)/u.test(url));
  expect(lists.length).toBeGreaterThan(5);
  for (const [, url] of lists) {
    const [path = "", query = ""] = url.split("/?");
    const [slashed, plain] = [
      await app.as(admin).get(url),
      await app.as(admin).get(`${path.replace(/\/$/u, "")}?${query}`),
    ];
    expect([url, slashed.status, slashed.body]).toEqual([url, 200, plain.body]);
  }

  const { fastify } = app.product.http;
  const answers = await Promise.all(["/nothing", "/nothing/", "/version//"].map((url) => fastify.inject(url)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
});
