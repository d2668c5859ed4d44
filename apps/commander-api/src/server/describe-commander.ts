import type { OpenAPIObject } from '@nestjs/swagger';
import type { ApiDescription } from '@svc/service-kit';

/** The parts of the API document that no controller describes. */
export function describeCommander(version: string): ApiDescription {
  return {
    title: 'Commander',
    description: 'Encrypts passwords, loads libraries and generates IP lookups.',
    version,
    tags: {
      iplookup: 'Build, download and query IP lookups.',
      library: 'Load libraries, and see what was loaded.',
      passwords: 'Encrypt passwords for configuration files.',
    },
    complete: (document) => withNamedLibraries(withUploads(withAlternatives(document))),
    refusals: {
      meanings: {
        403:
          'The token lacks the scope that WWW-Authenticate names; or, with http.auth = none, a web page sent the request ' +
          'or its Host is not a name of this server (http.allowed_hosts).',
      },
    },
  };
}

/** Example bodies of the operations that take a file. */
const UPLOADS = {
  '/iplookup/from-csv': {
    'application/json': { file_name: 'sites.csv', input_ip_format: 'ipv4' },
    'text/csv': 'ip_from,ip_to,site\n10.1.0.0,10.1.255.255,Depot\n',
  },
  '/iplookup/from-vendor': {
    'application/json': { file_name: 'IP2LOCATION-LITE-DB1.CSV' },
    'text/csv': '"16777216","16777471","AU","Australia"\n',
  },
  '/iplookup/from-maxmind': { 'application/json': { file_name: 'GeoLite2-City-CSV_20260101.zip' } },
} as const;

/** Removes the type that Nest adds to query parameters with alternatives, which have types of their own. */
function withAlternatives(document: OpenAPIObject): OpenAPIObject {
  const paths = structuredClone(document.paths);
  for (const { get, put, post } of Object.values(paths)) {
    for (const parameter of [get, put, post].flatMap((operation) => operation?.parameters ?? [])) {
      if ('schema' in parameter && parameter.schema && 'oneOf' in parameter.schema)
        delete parameter.schema.type;
    }
  }
  return { ...document, paths };
}

/** Describes uploads: Nest gives every media type of a body the schema of the JSON that names a file. */
function withUploads(document: OpenAPIObject): OpenAPIObject {
  const paths = structuredClone(document.paths);
  for (const [path, examples] of Object.entries(UPLOADS)) {
    const body = paths[path]?.post?.requestBody;
    if (!body || '$ref' in body) continue;
    Object.assign(body.content['application/json'] ?? {}, { example: examples['application/json'] });
    if ('text/csv' in examples) {
      body.content['text/csv'] = { schema: { type: 'string' }, example: examples['text/csv'] };
      body.content['application/gzip'] = {};
    } else {
      delete body.content['text/csv'];
      delete body.content['application/gzip'];
    }
    body.content['application/zip'] = {};
  }
  return { ...document, paths };
}

const NAMED = '/libraries/{library}/';

/**
 * Controllers describe the paths of named and unnamed libraries alike: gives the operations of named ones their own ids
 * and the library parameter.
 */
function withNamedLibraries(document: OpenAPIObject): OpenAPIObject {
  const paths = structuredClone(document.paths);
  for (const [path, operations] of Object.entries(paths)) {
    if (!path.startsWith(NAMED)) continue;
    for (const operation of [operations.get, operations.put, operations.post]) {
      if (!operation) continue;
      operation.operationId += 'ByName';
      operation.summary += ' (named library)';
      operation.parameters = [LIBRARY_PARAMETER, ...(operation.parameters ?? [])];
    }
  }
  return { ...document, paths };
}

const LIBRARY_PARAMETER = {
  name: 'library',
  in: 'path',
  required: true,
  description: 'The library: the name of a section `[library:<name>]`.',
  schema: { type: 'string', example: 'parsers' },
} as const;
