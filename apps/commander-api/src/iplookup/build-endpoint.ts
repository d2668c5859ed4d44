import { applyDecorators, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { RequireScope } from '@svc/service-kit';
import { RawBody } from '../http/raw-body.js';
import type { BuildParameters } from './build-parameters.dto.js';

const UPLOAD_TYPES = ['text/csv', 'application/gzip', 'application/zip'];

const DESCRIPTION =
  'Either with a JSON body that names a file in the configured folder and holds the options, or with the CSV itself as the body (plain, gzipped or zipped) and the options as the query, among them file_name or lookup_name. The former lookup stands until the new one is complete. The build ends when the caller leaves.';

const ANSWERS: Readonly<Record<number, string>> = {
  200: 'What became of the rows, and what the lookup holds.',
  400: 'Options or rows are not valid; the first 20 faults are listed.',
  404: 'There is no such input file.',
  408: 'The input came too slowly.',
  409: 'Another lookup is being built.',
  413: 'The input is too large, or needs too much memory.',
  415: 'The body is neither JSON nor CSV.',
  500: 'The lookup file cannot be written; the former one stands.',
  503: 'A folder is not configured, two inputs are being received already, or the build took longer than 15 minutes.',
  507: 'The disk has too little room; the former lookup stands.',
};

/** What the two endpoints that build a lookup have in common. */
export function BuildEndpoint(path: string, summary: string, parameters: new () => BuildParameters) {
  return applyDecorators(
    Post(path),
    HttpCode(200),
    RawBody('parsed', 'slowly'),
    RequireScope('iplookup:write'),
    ApiOperation({ summary, description: DESCRIPTION }),
    ApiConsumes('application/json', ...UPLOAD_TYPES),
    ApiBody({ schema: { $ref: getSchemaPath(parameters) } }),
    ...Object.entries(ANSWERS).map(([status, description]) =>
      ApiResponse({ status: Number(status), description }),
    ),
  );
}
