import { readTraceContext, traceIdOf } from './trace-context.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

test('a traceparent names its trace', () => {
  expect(traceIdOf(PARENT)).toBe(TRACE);
});

test('later versions may have more members, version 00 may not', () => {
  expect(traceIdOf(`cc-${TRACE}-00f067aa0ba902b7-01-what-the-future-will-be`)).toBe(TRACE);
  expect(traceIdOf(`${PARENT}-more`)).toBeUndefined();
});

test.each([
  ['nothing', ''],
  ['version ff', `ff-${TRACE}-00f067aa0ba902b7-01`],
  ['a trace-id of zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
  ['a parent-id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['capitals', PARENT.toUpperCase()],
  ['a trace-id that is too short', `00-${TRACE.slice(1)}-00f067aa0ba902b7-01`],
  ['a line break', `${PARENT}\r\nx: y`],
])('%s is not a traceparent', (_case, text) => {
  expect(traceIdOf(text)).toBeUndefined();
  expect(readTraceContext({ traceparent: text, tracestate: 'a=1' })).toBeUndefined();
});

test('tracestate is passed on beside a traceparent, unless it could break a header', () => {
  expect(readTraceContext({ traceparent: PARENT, tracestate: 'a=1,b=2' })).toEqual({
    traceparent: PARENT,
    tracestate: 'a=1,b=2',
  });
  for (const tracestate of [undefined, '', 'a=1\nx: y', 'a'.repeat(513), ['a=1', 'b=2']])
    expect(readTraceContext({ traceparent: PARENT, tracestate })).toEqual({ traceparent: PARENT });
});
