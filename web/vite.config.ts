import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { buildName } from "./build/buildName.ts";
import { importFetched } from "./build/importFetched.ts";
import { inertSchemas } from "./build/inertSchemas.ts";
import { languages } from "./build/languages.ts";
import { websocketOnly } from "./build/websocketOnly.ts";

const server = `http://127.0.0.1:${process.env.PORT ?? "8080"}`;
const isPage = (accept: string | undefined) => accept?.includes("text/html") ?? false;

export default defineConfig({
  base: "/",
  plugins: [
    languages(),
    inertSchemas(),
    websocketOnly(),
    importFetched(),
    react({ jsxImportSource: "#jsx" }),
    buildName(),
  ],
  server: {
    port: 5173,
    proxy: {
      "/socket.io": { target: server, ws: true },
      // The API shares its paths with screens (/tickets, /queue…): a navigation gets the app, all else the server.
      "^/(?!@|src/|node_modules/|build|contract/|assets/|favicon|icon|manifest|first-paint).+": {
        target: server,
        bypass: (request) =>
          isPage(request.headers.accept) || request.url?.includes("/node_modules/") ? request.url : undefined,
      },
    },
  },
  build: {
    manifest: true,
    // What is fetched beside a lazy chunk is listed in the one that asks for it: what every screen has already is left out.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, chunks, { hostType }) =>
        hostType === "js"
          ? chunks.filter((chunk) => !/^assets\/(react|kit|query|icons|rolldown-runtime)-/.test(chunk))
          : chunks,
    },
    target: "es2022",
    // What is bundled asks for its licence and its authors' names to go with it.
    license: { fileName: "third-party-licences.txt" },
    rolldownOptions: {
      // The service worker is one file at the root: from there it may look after every screen.
      input: { index: "index.html", sw: "src/worker/worker.ts" },
      treeshake: { manualPureFunctions: ["z"] },
      output: {
        entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/[name]-[hash].js"),
        codeSplitting: {
          // Libraries change rarely: chunks of their own stay in the browser's cache over our releases.
          groups: [
            {
              name: "react",
              test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/,
              priority: 3,
            },
            { name: "query", test: /node_modules[\\/]@tanstack[\\/]/, priority: 2 },
            { name: "socket", test: /node_modules[\\/](socket\.io-|engine\.io-|@socket\.io)/, priority: 2 },
            // Icons that the shell and the desk draw and other screens too: each by itself is mostly its chunk's frame.
            {
              name: "icons",
              test: /lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/](ban|bell-ring|bot|building|building-complex|calendar-days|check|check-check|chevron-down|circle-check|circle-exclamation-point|clock|cloud-off|contact-round|copy|credit-card|download|ellipsis-vertical|eye|eye-off|file-text|gauge|info|layout-dashboard|life-buoy|list|list-filter|list-todo|log-out|megaphone|message-circle|message-square|messages-square|moon|network|newspaper|package|pencil|plug|radio|refresh-cw|rotate-ccw|rotate-ccw-clock|rotate-cw|search|settings|sliders-horizontal|smartphone|square-kanban|sun|tag|trash|triangle-exclamation-point|user-round|users-round|webhook|x|zap)\./,
              priority: 2,
            },
            // The other icons that several lazy screens draw.
            { name: "more-icons", test: /lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]/, priority: 1, minShareCount: 2 },
            // What every screen needs, in one piece: forty small chunks pack worse than one.
            {
              name: "kit",
              test: /web[\\/]src[\\/](app[\\/](app\.i18n|shell[\\/](SourceLink|themeMode|menuIcons))\.|lib[\\/](?!records[\\/]re|api[\\/](download|call-once)|browser[\\/](hardware-keyboard|random)|session[\\/](downloads|useVariableValues)|text[\\/]number-text)|ui[\\/](\w+[\\/])?(Avatar|Button|Chip|Confirm|Dialog|Field|IconButton|Keys|Menu|Opening|Popover|Tabs|Toast|Tooltip|contrast|lateDialog|latePopups|jsx-runtime|states|styled|theme|tokens|useOpener|questions)\.)|lucide-react[\\/]dist[\\/]esm[\\/](?!icons)|contract[\\/]src[\\/](?!agent-assist|announcements|audit|api-keys|bot|campaign|csv|chats|colors|companies|contact-imports|contact-lists|dashboard|dead-jobs|devices|doctor|fields|files|first-steps|helps|idempotency-key|invitations|invoices|kanban|knowledge|messages-api|notes|notifications|passkeys|password-resets|products|sign-ups|support|tax-id|two-factor|sending|validation|plan-flags|plans|privacy|prompts|queue-(integrations|options)|quick-messages|schedules|setup|simulator|(unknown-)?variables|webhooks|zoned-time|.*schemas)/,
              priority: 1,
              minShareCount: 2,
            },
            // What is always fetched together is one chunk: the entry names each, with its hash, for the screens that need it.
            {
              name: "variables",
              test: /(contract|web)[\\/]src[\\/](.*[\\/])?((unknown-)?variables|SentTextField|VariableButton|VariableTextField|useVariableValues|textCursor)\./,
              priority: 1,
              minShareCount: 2,
            },
            {
              name: "public",
              test: /web[\\/]src[\\/]app[\\/]screens[\\/](PublicPage|login\.i18n)\./,
              priority: 1,
            },
            // The desk with its lists and all that they import; the conversation, which the kanban shows too, comes after it.
            {
              name: "desk",
              test: /web[\\/]src[\\/](app[\\/]screens[\\/]desk[\\/](Desk|phoneBeside|list[\\/](ListPane|useConversations)|conversation[\\/]LazyTicketPane)|features[\\/]messages[\\/]messages\.api|ui[\\/]SideBySide)\./,
              priority: 0,
            },
          ],
        },
      },
    },
  },
});
