export interface Stats {
  /** Messages from persons and phones, counted once per companion. */
  toLines: number;
  /** Messages of lines that reached a person, and second copies of one. */
  toPersons: number;
  repeatedToPersons: number;
  acks: number;
  /** Messages of lines that a fault dropped without an ack. */
  dropped: number;
  /** Messages of lines that were refused in their ack. */
  refused: number;
  redelivered: number;
  retriesByLines: number;
  retriesByPersons: number;
  /** Nacks of lines by code; 487 for a message that the line does not have means that it is lost. */
  nacks: Record<string, number>;
  logins: number;
  /** Device queries (usync) of lines, answered or not. */
  deviceQueries: number;
  /** Clients that were refused for their version. */
  refusedLogins: number;
  pairings: number;
  /** Profile picture queries of lines. */
  pictureQueries: number;
}

export function emptyStats(): Stats {
  return {
    toLines: 0,
    toPersons: 0,
    repeatedToPersons: 0,
    acks: 0,
    dropped: 0,
    refused: 0,
    redelivered: 0,
    retriesByLines: 0,
    retriesByPersons: 0,
    nacks: {},
    logins: 0,
    deviceQueries: 0,
    refusedLogins: 0,
    pairings: 0,
    pictureQueries: 0,
  };
}
