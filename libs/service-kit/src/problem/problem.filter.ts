import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { pathOf } from '../request/request-head.js';
import { JsonBodyError } from '../json/parse-json.js';
import { Problem } from './problem.js';

/** Maps a service's own error to an answer. @returns `undefined` for other errors */
export type ProblemMapper = (error: unknown) => Problem | undefined;

/** The only place where an error becomes an answer. Unknown errors become a 500 without details. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly mappers: readonly ProblemMapper[],
    private readonly logger: Logger,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const problem = cutShort(request) ?? this.toProblem(error);
    if (problem.status >= 500 && !problem.isLogged) this.log(problem, error, request, reply);
    sendProblem(problem, request, reply);
  }

  /** What stops because its caller has left is not an error of the server. */
  private log(problem: Problem, error: unknown, { id }: FastifyRequest, { raw }: FastifyReply): void {
    if (problem.isStop && raw.destroyed)
      this.logger.info(
        { request_id: id, reason: problem.message },
        'request stopped: the client disconnected',
      );
    else this.logger.error({ request_id: id, err: problem.cause ?? error }, 'request failed');
  }

  private toProblem(error: unknown): Problem {
    if (error instanceof Problem) return error;
    for (const toProblem of this.mappers) {
      const problem = toProblem(error);
      if (problem) return problem;
    }
    return toHttpProblem(error);
  }
}

/** The caller disconnected while sending its body, which is not an error of the server. */
function cutShort({ raw }: FastifyRequest): Problem | undefined {
  if (!raw.destroyed || raw.complete) return undefined;
  return new Problem({
    status: 400,
    detail: 'The body is incomplete: the connection closed before its end.',
  });
}

/** The media type of every error answer (RFC 9457 section 3). */
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Media types of bodies that the route accepts. A 415 lists them. */
    takes?: readonly string[];
  }
}

/** A 415 lists the supported types (RFC 9110 section 15.5.16, RFC 5789 section 2.2). */
function acceptHeaders(
  { status }: Problem,
  { method, routeOptions }: FastifyRequest,
): Record<string, string> {
  const { takes } = routeOptions.config;
  if (status !== 415 || !takes) return {};
  const types = takes.join(', ');
  return { accept: types, ...(method === 'PATCH' && { 'accept-patch': types }) };
}

/** Sends a problem as `application/problem+json`; closes the connection if an answer has already been started. */
export function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): void {
  if (reply.sent) {
    reply.raw.destroy();
    return;
  }
  void reply
    .status(problem.status)
    .headers({ ...acceptHeaders(problem, request), ...problem.headers })
    .header('content-type', PROBLEM_TYPE)
    .send(JSON.stringify(problem.toDocument(pathOf(request.url), request.id)));
}

/** Maps the framework's errors: keeps their status, replaces their text. */
export function toHttpProblem(error: unknown): Problem {
  if (error instanceof JsonBodyError)
    return new Problem({ status: 400, detail: error.sentence, cause: error });
  const status = statusOf(error);
  if (status === undefined || status >= 500) {
    return new Problem({
      status: status ?? 500,
      detail: 'The server encountered an unexpected error.',
      cause: error,
    });
  }
  return new Problem({ status, detail: DETAILS[status] ?? messageOf(error), cause: error });
}

/** The default detail of a 404. */
export const NOTHING_HERE = 'There is nothing at this path.';

const DETAILS: Readonly<Record<number, string>> = {
  404: NOTHING_HERE,
  413: 'The body is larger than this endpoint accepts.',
  414: 'The path is longer than the server accepts.',
  415: 'This endpoint does not support the Content-Type of the body.',
};

function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number') {
    return error.statusCode;
  }
  return undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The request is not valid.';
}
