/** Which trace a request belongs to: the header fields of W3C Trace Context, passed on as they came. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Version, trace-id, parent-id and flags (W3C Trace Context section 3.2); a later version may add more. */
const TRACEPARENT =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?!0{32})(?<traceId>[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?<more>-.*)?$/;

/** What may stand in a header, cut at what every participant has to pass on (section 3.3.1.5). */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** @param fields by their names in lower case; @returns nothing when there is no valid traceparent */
export function readTraceContext(fields: Readonly<Record<string, unknown>>): TraceContext | undefined {
  const { traceparent, tracestate } = fields;
  if (typeof traceparent !== 'string' || traceIdOf(traceparent) === undefined) return undefined;
  const hasState = typeof tracestate === 'string' && TRACESTATE.test(tracestate);
  return { traceparent, ...(hasState && { tracestate }) };
}

/** @returns the trace-id, 32 hexadecimal digits; nothing when it is no traceparent */
export function traceIdOf(traceparent: string): string | undefined {
  const { version, traceId, more } = TRACEPARENT.exec(traceparent)?.groups ?? {};
  return version === '00' && more !== undefined ? undefined : traceId;
}
