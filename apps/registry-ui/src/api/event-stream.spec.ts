import fc from 'fast-check';
import { readEvents, type StreamEvent } from './event-stream.js';

async function* inPieces(text: string, cuts: readonly number[]) {
  const at = [0, ...[...cuts].sort((a, b) => a - b), text.length];
  for (const [index, start] of at.slice(0, -1).entries()) yield text.slice(start, at[index + 1]);
}

async function eventsIn(text: string, cuts: readonly number[] = []): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of readEvents(inPieces(text, cuts))) if (event) events.push(event);
  return events;
}

const TEXT =
  'id: 7\ndata: {"a":1}\n\n: keep-alive\n\ndata: one\ndata: two\n\nid: 8\ndata: last\n\ndata: cut off';

test('events are the same wherever the network cuts them', async () => {
  const whole = [{ id: '7', data: '{"a":1}' }, { data: 'one\ntwo' }, { id: '8', data: 'last' }];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(TEXT.length)), async (cuts) => {
      expect(await eventsIn(TEXT, cuts)).toEqual(whole);
    }),
  );
});

test('an endless event is rejected', async () => {
  await expect(eventsIn(`data: ${'x'.repeat(5 * 1024 * 1024)}`)).rejects.toThrow('too long');
});
