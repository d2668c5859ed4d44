import { randomBytes } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { UnsupportedMediaTypeException } from '@nestjs/common';
import { refuseEncodings } from '@svc/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { NDJSON_TYPES } from '../http/ndjson-types.js';
import { bodyTooLarge, noFolderForBody, noRoomForBody } from './import.errors.js';

/** Longest body, in bytes. */
const MAX_IMPORT_BYTES = 100 * 1024 * 1024;

const PATH = '/clients/import';

const NDJSON = /^application\/(x-)?ndjson\s*(;|$)/i;

/** The operating system's codes for a full disk or quota. */
const NO_ROOM = new Set<unknown>(['ENOSPC', 'EDQUOT']);

/** Those for a folder where no file can be created, as on a read-only root file system. */
const NO_FOLDER = new Set<unknown>(['EROFS', 'EACCES', 'ENOENT']);

/** A non-blank line. */
export interface Line {
  /** Counted from 1, including blank lines. */
  readonly number: number;
  readonly bytes: Buffer;
}

/** Longer lines cannot be Clients; they are cut to one byte more than this. */
export const MAX_LINE_BYTES = 1024 * 1024;

/** Read at a time, so that memory does not depend on the length of the file. */
const CHUNK_BYTES = 256 * 1024;

const LINE_FEED = 0x0a;

/**
 * Passes the body of an import on as a stream, unread until the caller is authenticated. Only this endpoint accepts
 * NDJSON, and nothing else. Call it before routes are registered.
 */
export function readImports(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (route.url !== PATH) return;
    route.onRequest = refuseOtherTypes;
    route.config = {
      ...route.config,
      streamsBody: true,
      takes: NDJSON_TYPES,
    };
  });
  fastify.addContentTypeParser(NDJSON, streamBody);
}

async function refuseOtherTypes({ headers }: FastifyRequest): Promise<void> {
  const type = headers['content-type'];
  if (type !== undefined && !NDJSON.test(type)) throw new UnsupportedMediaTypeException();
}

async function streamBody<Body>(request: FastifyRequest, body: Body): Promise<Body> {
  if (request.routeOptions.url !== PATH) throw new UnsupportedMediaTypeException();
  refuseEncodings(request);
  if (Number(request.headers['content-length'] ?? 0) > MAX_IMPORT_BYTES) throw bodyTooLarge();
  return body;
}

/**
 * Writes a body to disk, so that a slow sender holds neither a transaction nor memory, and so that it can be read twice.
 * The file is already unlinked when this returns: it disappears with its handle, even when the process is killed.
 *
 * @param folder where it is written
 * @throws {RegistryError} `body_too_large`, `disk_full`, `no_temporary_folder`
 */
export async function spoolBody(body: Readable, folder = tmpdir()): Promise<FileHandle> {
  let file: FileHandle | undefined;
  try {
    file = await openUnlinked(join(folder, `svc-import-${randomBytes(16).toString('hex')}`));
    let length = 0;
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > MAX_IMPORT_BYTES) throw bodyTooLarge();
      await file.appendFile(chunk);
    }
    return file;
  } catch (error) {
    drain(body);
    await file?.close();
    throw storageErrorOf(error);
  }
}

async function openUnlinked(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** @returns other errors as they are */
function storageErrorOf(error: unknown): unknown {
  const { code } = error as { readonly code?: unknown };
  if (NO_ROOM.has(code)) return noRoomForBody(error);
  return NO_FOLDER.has(code) ? noFolderForBody(String(code), error) : error;
}

/**
 * Discards the rest of a rejected body: closing the connection would keep the sender from reading the reason. If the sender
 * sends another `MAX_IMPORT_BYTES`, the connection is closed.
 */
function drain(body: Readable): void {
  let length = 0;
  body.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_IMPORT_BYTES) body.destroy();
  });
}

/** The lines of a file in batches of at most `maxLines` lines, and of little more than `MAX_LINE_BYTES`. */
export async function* readLines(file: FileHandle, maxLines: number): AsyncGenerator<Line[], void> {
  let batch: Line[] = [];
  let bytes = 0;
  for await (const line of linesOf(file)) {
    if (isBlank(line)) continue;
    batch.push(line);
    bytes += line.bytes.length;
    if (batch.length < maxLines && bytes < MAX_LINE_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

async function* linesOf(file: FileHandle): AsyncGenerator<Line, void> {
  let number = 1;
  /** The parts of the incomplete line. */
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunksOf(file)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      yield { number, bytes: joined([...parts, chunk.subarray(start, end)]) };
      [number, parts, length, start] = [number + 1, [], 0, end + 1];
    }
    const rest = chunk.subarray(start);
    if (length <= MAX_LINE_BYTES) parts.push(rest);
    length += rest.length;
  }
  yield { number, bytes: joined(parts) };
}

async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer, void> {
  for (let position = 0; ;) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

function joined(parts: readonly Buffer[]): Buffer {
  const [first = Buffer.alloc(0), ...others] = parts;
  const line = others.length === 0 ? first : Buffer.concat(parts);
  return line.subarray(0, MAX_LINE_BYTES + 1);
}

function isBlank({ bytes }: Line): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
