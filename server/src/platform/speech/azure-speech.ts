import { guardedFetch, PrivateAddressError } from "../net/index.ts";

/** `key`: refused; `region`: there is no such service; `limit`: too much for now; `text`: refused; `service`: no usable answer. */
export type SpeechFault = "key" | "region" | "limit" | "text" | "service";

export class SpeechError extends Error {
  override readonly name = "SpeechError";
  readonly fault: SpeechFault;

  constructor(fault: SpeechFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

export interface Speech {
  /** The text, spoken, as Opus in Ogg. Throws SpeechError. Never call it within a transaction. */
  speak(request: SpeechRequest): Promise<Uint8Array>;
}

interface SpeechRequest {
  readonly text: string;
  /** An Azure voice: pt-BR-FranciscaNeural. */
  readonly voice: string;
  /** An Azure region: brazilsouth. A user wrote it. */
  readonly region: string;
  readonly key: string;
  readonly signal: AbortSignal;
}

/** A customer waits for it: then the text is sent. */
const defaultTimeoutMs = 20_000;
/** Ten minutes, the most that the service speaks, take about 4 MiB. */
const maxBytes = 8 * 1024 * 1024;

/**
 * Azure's text to speech by its REST API. `url` is the service's address with `{region}` in it, which the operator sets: Azure's
 * own, or that of a container of the same service. `timeoutMs`: a test waits less.
 */
export function createSpeech(url: string, timeoutMs: number = defaultTimeoutMs): Speech {
  const fetch = guardedFetch({ mayBePrivate: true, maxBytes });
  return {
    async speak({ text, voice, region, key, signal }) {
      // It becomes a part of a host name.
      if (!/^[a-z0-9]+$/u.test(region)) {
        throw new SpeechError("region", `${JSON.stringify(region)} is not a region`);
      }
      const address = `${url.replace("{region}", region)}/cognitiveservices/v1`;
      const answer = await post(address, {
        text,
        voice,
        key,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      if (!answer.ok) {
        throw new SpeechError(faultOf(answer.status), `the speech service answered ${answer.status}`);
      }
      const sound = new Uint8Array(await answer.arrayBuffer());
      if (!Buffer.from(sound.subarray(0, 4)).equals(Buffer.from("OggS"))) {
        throw new SpeechError("service", "the speech service answered with something else than sound");
      }
      return sound;
    },
  };

  async function post(address: string, { text, voice, key, signal }: Omit<SpeechRequest, "region">): Promise<Response> {
    try {
      return await fetch(address, {
        method: "POST",
        headers: {
          "ocp-apim-subscription-key": key,
          "content-type": "application/ssml+xml",
          "x-microsoft-outputformat": "ogg-24khz-16bit-mono-opus",
          "user-agent": "Prosa",
        },
        body: ssmlOf(text, voice),
        signal,
      });
    } catch (error) {
      const isNoHost = error instanceof PrivateAddressError || (error as { code?: string }).code === "ENOTFOUND";
      throw new SpeechError(isNoHost ? "region" : "service", "the speech service did not answer", { cause: error });
    }
  }
}

/** Speech Synthesis Markup: what the text says must never be markup. */
export function ssmlOf(text: string, voice: string): string {
  const locale = voice.split("-").slice(0, 2).join("-");
  const name = escapeXml(voice);
  return `<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="${escapeXml(locale)}"><voice name="${name}">${escapeXml(text)}</voice></speak>`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

function escapeXml(text: string): string {
  return (
    text
      // Characters that XML 1.0 has not.
      // oxlint-disable-next-line no-control-regex -- they are what is removed
      .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/gu, "")
      .replaceAll(/[&<>"']/gu, (character) => entities[character] ?? "")
  );
}

function faultOf(status: number): SpeechFault {
  if (status === 401 || status === 403) {
    return "key";
  }
  if (status === 404) {
    return "region";
  }
  if (status === 429) {
    return "limit";
  }
  return status >= 500 ? "service" : "text";
}
