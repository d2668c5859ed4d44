import type { IncomingMessage } from 'node:http';

/** Longer answers are pages for a browser. */
const MAX_BODY_BYTES = 1 << 16;
const MAX_WORDS = 300;
/** The body of a refusal may be slow to arrive. */
const WAIT_MS = 2_000;

/**
 * The server's explanation of a refusal, in one line; empty when there is none or it is too long.
 *
 * @param scrub takes secrets out of the whole text, before any of it is cut away
 */
export async function readServerWords(
  response: IncomingMessage,
  scrub: (text: string) => string,
): Promise<string> {
  const timer = setTimeout(() => response.destroy(), WAIT_MS);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      // Part of a secret may stand at the end of a text that was cut.
      if ((bytes += chunk.length) > MAX_BODY_BYTES) return '';
      chunks.push(chunk);
    }
  } catch {
    return '';
  } finally {
    clearTimeout(timer);
  }
  return oneLine(wordsOf(scrub(Buffer.concat(chunks).toString('utf8'))), MAX_WORDS);
}

/** On one line, without what would steer a terminal, and not too long. */
export function oneLine(text: string, maxLength: number): string {
  const line = text.replace(/[\s\p{C}]+/gu, ' ').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength)}...` : line;
}

/** Of a page its title. */
function wordsOf(text: string): string {
  if (!text.trimStart().startsWith('<')) return text;
  return /<title[^<>]{0,100}>([^<]*)/i.exec(text)?.[1] ?? '';
}
