/** An event of a stream (WHATWG HTML section 9.2). */
export interface StreamEvent {
  readonly id?: string;
  readonly data: string;
}

/** Far above the largest event: a client with everything it may contain. */
const MAX_BUFFERED = 4 * 1024 * 1024;

/**
 * Reads `text/event-stream`. The browser's `EventSource` cannot send an Authorization header.
 *
 * @yields each event with data; `undefined` for comments, which keep a stream alive
 * @throws {RangeError} if an event does not end within 4 MiB
 */
export async function* readEvents(
  pieces: AsyncIterable<string>,
): AsyncGenerator<StreamEvent | undefined, void, undefined> {
  let rest = '';
  for await (const piece of pieces) {
    rest += piece;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    if (rest.length > MAX_BUFFERED) throw new RangeError('an event of the stream is too long');
    for (const block of blocks) yield parseEvent(block);
    if (blocks.length === 0) yield undefined;
  }
}

/** Decodes a body as it arrives. */
export async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseEvent(block: string): StreamEvent | undefined {
  const lines = block.split('\n').map((line) => /^([^:]*): ?(.*)$/.exec(line) ?? [line, line, '']);
  const data = lines.filter(([, name]) => name === 'data').map(([, , value]) => value);
  if (data.length === 0) return undefined;
  const id = lines.findLast(([, name]) => name === 'id')?.[2];
  return { data: data.join('\n'), ...(id !== undefined && { id }) };
}
