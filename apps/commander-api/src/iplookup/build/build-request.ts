import { Problem, toValidationProblem } from '@svc/service-kit';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import type { BuildFlags } from './build-flags.js';
import { type BuildParameters, toBuildFlags } from './build-parameters.dto.js';

/** A parsed request to build a lookup. */
export type BuildRequestBody =
  | { readonly upload: true; readonly fileName: string | undefined; readonly flags: BuildFlags }
  | { readonly upload: false; readonly fileName: string; readonly flags: BuildFlags };

/** Media types of an uploaded input. */
const INPUT_TYPES =
  /^(text\/(csv|plain|tab-separated-values)|application\/(gzip|x-gzip|zip|x-zip-compressed|octet-stream))\s*(;|$)/i;

/**
 * Parses a request to build a lookup: options are in a JSON body, or for uploads in the query.
 *
 * @param query already validated
 * @throws {Problem}
 */
export function readBuildRequest<T extends BuildParameters>(
  type: new () => T,
  query: T,
  request: Pick<FastifyRequest, 'body' | 'headers'>,
): BuildRequestBody {
  const { body, headers } = request;
  const contentType = headers['content-type'] ?? '';
  assertOneName(query);
  if (/[/+]json\s*(;|$)/i.test(contentType)) return fromJson(type, query, body);
  if (!INPUT_TYPES.test(contentType)) {
    const detail = 'The body must be application/json, text/csv, application/gzip or application/zip.';
    throw new Problem({ status: 415, detail });
  }
  return { upload: true, fileName: query.file_name, flags: toBuildFlags(query) };
}

function fromJson<T extends BuildParameters>(type: new () => T, query: T, body: unknown): BuildRequestBody {
  if (Object.values(query).some((value) => value !== undefined)) {
    throw new Problem({
      status: 400,
      detail: 'With a JSON body, the options belong in the body, not in the query.',
    });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Problem({ status: 400, detail: 'The body must be a JSON object.' });
  }
  const parameters = plainToInstance(type, body);
  const errors = validateSync(parameters, { whitelist: true, forbidNonWhitelisted: true });
  if (errors.length > 0) throw toValidationProblem(errors);
  if (parameters.file_name === undefined) {
    const problem = { field: '/file_name', code: 'required', message: 'file_name is required' };
    throw new Problem({ status: 400, detail: 'file_name is required.', errors: [problem] });
  }
  assertOneName(parameters);
  return { upload: false, fileName: parameters.file_name, flags: toBuildFlags(parameters) };
}

/** @throws {Problem} if the lookup is named twice, since one name would be ignored */
function assertOneName({ lookup_name, zone_name }: BuildParameters): void {
  if (lookup_name === undefined || zone_name === undefined) return;
  throw new Problem({ status: 400, detail: 'zone_name is an alias of lookup_name: pass only one of them.' });
}
