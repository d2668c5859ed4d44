/** The W3C Trace Context header fields of a request, to be passed on unchanged. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Version, trace-id, parent-id and flags (W3C Trace Context section 3.2); a later version may add more. */
const TRACEPARENT =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?!0{32})(?<traceId>[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?<more>-.*)?$/;

/** Printable, and no longer than what every participant must propagate (section 3.3.1.5). */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** @param fields by lower-case name @returns `undefined` without a valid traceparent */
export function readTraceContext(fields: Readonly<Record<string, unknown>>): TraceContext | undefined {
  const { traceparent, tracestate } = fields;
  if (typeof traceparent !== 'string' || traceIdOf(traceparent) === undefined) return undefined;
  const hasState = typeof tracestate === 'string' && TRACESTATE.test(tracestate);
  return { traceparent, ...(hasState && { tracestate }) };
}

/** @returns the trace-id, 32 hexadecimal digits; `undefined` if the traceparent is invalid */
export function traceIdOf(traceparent: string): string | undefined {
  const { version, traceId, more } = TRACEPARENT.exec(traceparent)?.groups ?? {};
  return version === '00' && more !== undefined ? undefined : traceId;
}
