import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { Problem } from '@svc/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenLookupFile } from './lookup-files.js';

/** Responds with a lookup file, a range of it, or 304 (RFC 9110 sections 13 and 14). */
export async function sendLookupFile(
  { handle, file, bytes, modified, etag }: OpenLookupFile,
  { headers, method }: Pick<FastifyRequest, 'headers' | 'method'>,
  reply: FastifyReply,
): Promise<void> {
  const range =
    method === 'GET' && isRangeWanted(headers, etag) ? parseByteRange(headers.range, bytes) : undefined;
  void reply.headers({ etag, 'accept-ranges': 'bytes', 'last-modified': modified.toUTCString() });
  if (matches(headers['if-none-match'], etag) || range === 'unsatisfiable') {
    await handle.close();
    if (range !== 'unsatisfiable') return void (await reply.status(304).send(noContent(method)));
    const contentRange = { 'content-range': `bytes */${bytes}` };
    throw new Problem({ status: 416, detail: `The file has ${bytes} bytes.`, headers: contentRange });
  }
  const { first, last } = range ?? { first: 0, last: bytes - 1 };
  if (range !== undefined) void reply.status(206).header('content-range', `bytes ${first}-${last}/${bytes}`);
  void reply.headers({
    'content-length': last - first + 1,
    'content-disposition': asAttachment(file),
  });
  void reply.type(file.endsWith('.gz') ? 'application/gzip' : 'application/octet-stream');
  if (method === 'HEAD' || bytes === 0) {
    await handle.close();
    return void (await reply.send(noContent(method)));
  }
  await reply.send(handle.createReadStream({ start: first, end: last }));
}

/** The value of Content-Disposition, for a file with any name (RFC 6266 section 4.3). */
export function asAttachment(name: string): string {
  const plain = name.replace(/[^\w.-]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`;
}

/** An empty stream for HEAD: without content, Fastify would set Content-Length to 0. */
export function noContent(method: string): Readable | undefined {
  return method === 'HEAD' ? Readable.from([]) : undefined;
}

/** With If-Range, a range applies only to the version that the client already has. */
function isRangeWanted(headers: IncomingHttpHeaders, etag: string): boolean {
  const ifRange = headers['if-range'];
  return ifRange === undefined || ifRange === etag;
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}

/** Positions of the first and last byte. */
interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads a Range header of one range (RFC 9110 section 14.1.2).
 *
 * @returns the range; `undefined` for the whole file, also if the header is not a single byte range; `unsatisfiable` if
 *   the file is shorter
 */
export function parseByteRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (match === null) return undefined;
  const [, from = '', to = ''] = match;
  if (from === '') {
    if (to === '') return undefined;
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return undefined;
  return first >= size ? 'unsatisfiable' : { first, last };
}
