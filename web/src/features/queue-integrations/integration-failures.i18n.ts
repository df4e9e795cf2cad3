import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { useCallFailure } from "#web/ui/DeliveryList.tsx";

/** The words for why an integration did not answer as expected; the server's reasons, with a detail after a colon. */
export function useIntegrationFailure(): (reason: string, detail?: string) => string {
  const t = useMessages(failureMessages);
  const callFailure = useCallFailure();
  return (reason, detail = "") => {
    const key = keyOf[reason];
    const words = key ? t(key) : /^HTTP \d+$/u.test(reason) ? t("http", { status: reason }) : callFailure(reason);
    return detail === "" ? words : `${words} (${detail})`;
  };
}

/** Of the log, which has both in one text: `bad answer: messages: Too many messages`. */
export function splitFailure(error: string): readonly [reason: string, detail: string] {
  const [reason = "", ...rest] = error.split(": ");
  return [reason, rest.join(": ")];
}

const keyOf: Readonly<Record<string, Exclude<keyof (typeof failureMessages)["pt"], "http">>> = {
  "no JSON": "noJson",
  "bad answer": "badAnswer",
  "answer too large": "tooLarge",
  "too many messages": "tooMany",
  "no file": "noFile",
  "unknown queue": "unknownQueue",
  "unknown agent": "unknownAgent",
  "no account": "noAccount",
  "bad account": "badAccount",
  "account refused": "accountRefused",
  "answer lost": "answerLost",
};

const failureMessages = defineMessages({
  pt: {
    http: "o sistema respondeu {status}",
    noJson: "a resposta não é JSON",
    badAnswer: "a resposta não tem o formato esperado",
    tooLarge: "a resposta é grande demais",
    tooMany: "a resposta tem mensagens demais",
    noFile: "um arquivo da resposta não pôde ser enviado",
    unknownQueue: "a resposta cita uma fila que não existe",
    unknownAgent: "a resposta cita um atendente que não existe",
    noAccount: "falta a conta de serviço",
    badAccount: "a conta de serviço não é válida",
    accountRefused: "o Google recusou a conta de serviço",
    answerLost: "a resposta se perdeu e o fluxo já tinha avançado",
  },
  en: {
    http: "the system answered {status}",
    noJson: "the answer is not JSON",
    badAnswer: "the answer does not have the expected form",
    tooLarge: "the answer is too large",
    tooMany: "the answer has too many messages",
    noFile: "a file of the answer could not be sent",
    unknownQueue: "the answer names a queue that does not exist",
    unknownAgent: "the answer names an agent who does not exist",
    noAccount: "there is no service account",
    badAccount: "the service account is not valid",
    accountRefused: "Google refused the service account",
    answerLost: "the answer was lost and the flow had already moved on",
  },
  es: {
    http: "el sistema respondió {status}",
    noJson: "la respuesta no es JSON",
    badAnswer: "la respuesta no tiene el formato esperado",
    tooLarge: "la respuesta es demasiado grande",
    tooMany: "la respuesta tiene demasiados mensajes",
    noFile: "no se pudo enviar un archivo de la respuesta",
    unknownQueue: "la respuesta nombra una cola que no existe",
    unknownAgent: "la respuesta nombra un agente que no existe",
    noAccount: "falta la cuenta de servicio",
    badAccount: "la cuenta de servicio no es válida",
    accountRefused: "Google rechazó la cuenta de servicio",
    answerLost: "la respuesta se perdió y el flujo ya había avanzado",
  },
});
