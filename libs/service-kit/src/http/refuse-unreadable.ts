import { randomUUID } from 'node:crypto';
import { maxHeaderSize } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Problem } from '../problem/problem.js';
import { PROBLEM_TYPE, sendProblem, toHttpProblem } from '../problem/problem.filter.js';
import { securityHeadersOf } from './response-headers.js';

/** Status and detail of the parser's error codes that mean more than "malformed". */
const REFUSALS: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, `The request headers are larger than ${maxHeaderSize} bytes.`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are larger than the server accepts.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request arrived too slowly.'],
};

const HEAD = Buffer.from('HEAD ');

/** Answers requests whose path cannot be parsed. No hook sees them, so this does what the hooks do. */
export function refuseUnreadablePaths(logger: Logger) {
  return (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = toHttpProblem(error);
    void reply.headers(securityHeadersOf(request.url)).header('x-request-id', request.id);
    sendProblem(problem, request, reply);
    log(logger, { request_id: request.id, status: problem.status, address: request.ip }, error);
  };
}

/** Answers what is not an HTTP request, or has too large a header, directly on the socket, and closes it. */
export function refuseUnreadableRequests(logger: Logger) {
  return (error: Error, socket: Socket): void => {
    if (!socket.writable || hasAnswerUnderWay(socket)) return void socket.destroy();
    const code = codeOf(error);
    const [status, detail] = REFUSALS[code] ?? [400, `The request is not valid HTTP (${code}).`];
    const id = randomUUID();
    socket.write(rawAnswer(new Problem({ status, detail }), id, isHead(error)));
    socket.destroySoon();
    log(logger, { request_id: id, status, address: socket.remoteAddress }, error);
  };
}

/** @param isHead whether the answer must have no body (RFC 9110 section 9.3.2) */
function rawAnswer(problem: Problem, id: string, isHead: boolean): string {
  // The path is unknown.
  const document = problem.toDocument('', id);
  const body = JSON.stringify(document);
  const headers = {
    ...securityHeadersOf(''),
    'x-request-id': id,
    'content-type': PROBLEM_TYPE,
    'content-length': Buffer.byteLength(body),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${document.title}\r\n${lines.join('')}\r\n${isHead ? '' : body}`;
}

/** Judging by the last bytes given to the parser, which is all there is. */
function isHead(error: Error): boolean {
  const { rawPacket } = error as { rawPacket?: Buffer };
  return rawPacket?.subarray(0, HEAD.length).equals(HEAD) ?? false;
}

/** Bytes written in the middle of another response would become part of it. Node's own handler checks this, too. */
function hasAnswerUnderWay(socket: Socket): boolean {
  return (socket as { _httpMessage?: { headersSent: boolean } | null })._httpMessage?.headersSent === true;
}

function log(logger: Logger, fields: object, error: Error): void {
  logger.info({ ...fields, reason: codeOf(error) }, 'request rejected before it was read');
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.name;
}
