export type Attributes = Readonly<Record<string, string | number>>;

/** A span: names and numbers only. No values of people, so no addresses, parameters of statements or texts of errors. */
export interface SpanFacts {
  readonly name: string;
  readonly kind: "server" | "client" | "consumer";
  readonly attributes: Attributes;
  /** Left out where nothing around it is traced: statements of pollers would be traces of their own. */
  readonly needsParent?: boolean;
}

export interface Tracer {
  run<T>(facts: SpanFacts, work: () => Promise<T>): Promise<T>;
}

/** Of the process, as the context it follows is. Undefined: tracing is off. */
let tracer: Tracer | undefined;

export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

/** Runs the work within a span where tracing is on; otherwise it only calls it. `facts` are not made then. */
export function traced<T>(facts: () => SpanFacts, work: () => Promise<T>): Promise<T> {
  return tracer === undefined ? work() : tracer.run(facts(), work);
}
