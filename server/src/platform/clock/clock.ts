/** Injected time, which tests can move. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still until a test moves it. */
export interface MovedClock extends Clock {
  set(time: Date | string): void;
  advance(by: {
    readonly days?: number;
    readonly hours?: number;
    readonly minutes?: number;
    readonly seconds?: number;
  }): void;
}

export function createMovedClock(start: Date | string = new Date()): MovedClock {
  let time = new Date(start).getTime();
  return {
    now: () => new Date(time),
    set(next) {
      time = new Date(next).getTime();
    },
    advance({ days = 0, hours = 0, minutes = 0, seconds = 0 }) {
      time += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
    },
  };
}
