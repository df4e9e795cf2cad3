/** May an answer be older than what the live line has told meanwhile? */

let told = 0;
const mostTries = 4;

/** Called for each event of a chat. */
export function noteNews(): void {
  told += 1;
}

/** An answer that was overtaken by an event may lack it, and would put out what the event put in: it is asked for again. */
export async function asOfNow<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const before = told;
    const answer = await ask();
    if (before === told || tries === mostTries) {
      return answer;
    }
  }
}
