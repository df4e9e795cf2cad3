/** What the texts of the bot say to a reader, whatever their exact words. */

/** True for a menu: it has numbered lines. */
export function isMenu(text: string): boolean {
  return /^\*\[ \d+ \]\* - /m.test(text);
}

/** True for a text, other than a menu, that announces a person. */
export function announcesPerson(text: string): boolean {
  return !isMenu(text) && /atendente|pessoa|algu[eé]m|equipe|somebody|someone|person|agent\b|agente/i.test(text);
}
