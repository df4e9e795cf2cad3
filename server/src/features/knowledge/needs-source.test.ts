import { expect, test } from "vitest";
import { needsSource, questionOf, withoutVariables } from "./needs-source.ts";

const instructions = "Você é a Lia e fala com {{name}}. Sofás por R$ 900. Sofas for R$ 900. Sofás a R$ 900.";

test.each([
  ["pt", "oi, tudo bem? como vai você?", false],
  ["pt", "muito obrigada, até logo", false],
  ["pt", "posso falar com um atendente?", false],
  ["pt", "quanto custa o sofá?", false],
  ["pt", "vocês consertam geladeira", true],
  ["en", "hello, how are you doing?", false],
  ["en", "thank you very much, bye", false],
  ["en", "can I talk to a person, please?", false],
  ["en", "how much is the sofa?", false],
  ["en", "do you repair fridges", true],
  ["en", "what is your name?", true],
  ["es", "hola, buenas tardes, ¿cómo está usted?", false],
  ["es", "muchas gracias, hasta luego", false],
  ["es", "¿puedo hablar con una persona?", false],
  ["es", "¿cuánto cuestan los sofás?", false],
  ["es", "ustedes reparan heladeras", true],
])("in %s, %s asks for something that only the company's texts tell: %s (O-08)", (_, question, isNeeded) => {
  expect(needsSource(question, instructions)).toBe(isNeeded);
});

test("a short question is searched with those before it, and variables say nothing (O-08)", () => {
  expect(questionOf(["qual é o horário de vocês na segunda-feira?", "e no sábado?"])).toBe(
    "qual é o horário de vocês na segunda-feira?\ne no sábado?",
  );
  // the newest is what is asked, however long the one before it
  expect(questionOf(["x".repeat(5_000), "e no sábado?"])).toBe(`${"x".repeat(1_987)}\ne no sábado?`);
  expect(withoutVariables("Olá {{ nome }}, a chave é {{x}} 1")).toBe("Olá, a chave é 1");
});
