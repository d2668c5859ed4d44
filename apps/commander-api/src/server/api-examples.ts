import type { OpenAPIObject } from '@nestjs/swagger';

/** What a caller sends and gets, for the API document: the requests are right, and answers have these members. */
interface OperationExample {
  /** Values of parameters, by name. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** By content type. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Of the answer that tells of success, by content type; undefined for a file's content. */
  readonly answer: Readonly<Record<string, unknown>>;
}

const LOAD = {
  source: 'git.example.com/library.git',
  revision: '9fceb02d0ae598e95dc970b74767f19372d61af8',
  destination: 'zookeeper-1:2181 /library',
  dry_run: false,
  changed: true,
  skipped: false,
  load: 7,
  created: 2,
  updated: 1,
  deleted: 0,
  unchanged: 40,
  bytes: 5821,
  seconds: 0.061,
  problems: [],
  foreign: [],
  kept: [],
  unreadable: [],
};

const PLAN = {
  ...LOAD,
  dry_run: true,
  changes: [{ action: 'create', kind: 'file', path: 'Parsers/Linux/10_sshd.yaml' }],
};

const RECORD = {
  load: 7,
  source: 'git.example.com/library.git',
  source_kind: 'git',
  origin: 'git.example.com/library.git',
  revision: '9fceb02d0ae598e95dc970b74767f19372d61af8',
  by: 'svc@svc-commander, process 1',
  started_at: '2026-11-21T08:00:00.000Z',
  created: 2,
  updated: 1,
  deleted: 0,
  unchanged: 40,
  files: 38,
  bytes: 5821,
  parts: 1,
  finished_at: '2026-11-21T08:00:00.061Z',
  version: '12',
};

const LOOKUP = {
  file: 'sites.mmdb',
  lookup: 'sites',
  bytes: 1757,
  seconds: 0.114,
  rows: 7,
  kept: 7,
  dropped: 0,
  empty_rows: 0,
  partly_empty_rows: 0,
  skipped: 0,
  skipped_rows: [],
  left_out: 0,
  merged: 0,
  overlaps: 0,
  overlapping: [],
  overriding: [],
  nodes: 226,
  records: 7,
  record_size: 24,
  ip_version: 6,
};

const JWE =
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoielBWdUgyWnA0RmcifQ..POupSbeoSCKwPzYp.ag.lGTuvrIxuYIr4UEMFtOZXw';

const json = (example: unknown) => ({ 'application/json': example });

/** By method and path, in an order in which they can be tried. */
export const API_EXAMPLES: Readonly<Record<string, OperationExample>> = {
  'GET /health/live': { answer: json({ status: 'alive' }) },
  'GET /health/ready': { answer: json({ status: 'ready', checks: {} }) },
  'GET /metrics': { answer: { 'text/plain': 'process_resident_memory_bytes 98123776\n' } },
  'POST /encpwd': {
    body: { 'text/plain': 'correct horse battery staple' },
    answer: { 'text/plain': JWE, 'application/json': { encrypted_password: JWE, kid: 'zPVuH2Zp4Fg' } },
  },
  'PUT /library/load': { answer: json({ ...LOAD, version: '12' }) },
  'GET /library/status': {
    answer: json({ destination: 'zookeeper-1:2181 /library', load: 7, version: '12', last: RECORD }),
  },
  'GET /library/diff': { answer: json(PLAN) },
  'GET /library/history': { answer: json({ loads: [RECORD] }) },
  'POST /library/rollback': {
    parameters: { to: 1, dry_run: true },
    answer: json(PLAN),
  },
  'POST /library/webhook': { answer: json({ loading: true }) },
  'POST /iplookup/from-csv': {
    body: {
      'application/json': { file_name: 'sites.csv', input_ip_format: 'ipv4' },
      'text/csv': 'ip_from,ip_to,site\n10.1.0.0,10.1.255.255,Depot\n',
    },
    answer: json(LOOKUP),
  },
  'POST /iplookup/from-vendor': {
    body: {
      'application/json': { file_name: 'IP2LOCATION-LITE-DB1.CSV' },
      'text/csv': '"16777216","16777471","AU","Australia"\n',
    },
    answer: json({ ...LOOKUP, file: 'IP2LOCATION-LITE-DB1.mmdb', lookup: 'IP2LOCATION-LITE-DB1' }),
  },
  'GET /iplookup': {
    answer: json({
      lookups: [
        { name: 'sites', file: 'sites.mmdb', bytes: 1757, modified: '2026-11-21T08:00:00.000Z', gzip: false },
      ],
    }),
  },
  'GET /iplookup/{name}': {
    parameters: { name: 'sites' },
    answer: { 'application/octet-stream': undefined },
  },
  'GET /iplookup/{name}/{ip}': {
    parameters: { name: 'sites', ip: '10.1.2.3' },
    answer: json({ ip: '10.1.2.3', network: '10.1.0.0/16', record: { site: 'Depot' } }),
  },
};

/** The API document with an example on every operation. */
export function withExamples(document: OpenAPIObject): OpenAPIObject {
  const paths = structuredClone(document.paths);
  for (const [path, item] of Object.entries(paths)) {
    for (const method of ['get', 'put', 'post'] as const) {
      const example = API_EXAMPLES[`${method.toUpperCase()} ${path}`];
      const operation = item[method];
      if (example && operation) addTo(operation, example);
    }
  }
  return { ...document, paths };
}

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

function addTo(operation: Operation, { parameters = {}, body = {}, answer }: OperationExample): void {
  for (const parameter of operation.parameters ?? []) {
    if ('name' in parameter && Object.hasOwn(parameters, parameter.name)) {
      parameter.example = parameters[parameter.name];
    }
  }
  const { requestBody } = operation;
  if (requestBody && 'content' in requestBody) addExamples(requestBody.content, body);
  const success = Object.entries(operation.responses).find(([status]) => /^2/.test(status))?.[1];
  if (success && !('$ref' in success)) addExamples((success.content ??= {}), answer);
}

interface MediaType {
  schema?: object;
  example?: unknown;
}

function addExamples(content: Record<string, MediaType>, examples: Readonly<Record<string, unknown>>): void {
  for (const [type, example] of Object.entries(examples)) {
    const schema = { type: typeof example === 'object' ? 'object' : 'string' };
    content[type] = { schema, ...content[type], ...(example !== undefined && { example }) };
  }
}
