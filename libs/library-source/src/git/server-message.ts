import type { IncomingMessage } from 'node:http';

/** Longer responses are web pages. */
const MAX_BODY_BYTES = 1 << 16;
const MAX_MESSAGE = 300;
/** An error's body may arrive slowly. */
const WAIT_MS = 2_000;

/**
 * The server's explanation of an error, on one line; empty if there is none or it is too long.
 *
 * @param scrub removes secrets from the whole text, before it is truncated
 */
export async function readServerMessage(
  response: IncomingMessage,
  scrub: (text: string) => string,
): Promise<string> {
  const timer = setTimeout(() => response.destroy(), WAIT_MS);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      // A truncated text may end in part of a secret.
      if ((bytes += chunk.length) > MAX_BODY_BYTES) return '';
      chunks.push(chunk);
    }
  } catch {
    return '';
  } finally {
    clearTimeout(timer);
  }
  return oneLine(messageOf(scrub(Buffer.concat(chunks).toString('utf8'))), MAX_MESSAGE);
}

/** Reduces a text to one line without control characters, and truncates it. */
export function oneLine(text: string, maxLength: number): string {
  const line = text.replace(/[\s\p{C}]+/gu, ' ').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength)}...` : line;
}

/** For an HTML page, its title. */
function messageOf(text: string): string {
  if (!text.trimStart().startsWith('<')) return text;
  return /<title[^<>]{0,100}>([^<]*)/i.exec(text)?.[1] ?? '';
}
