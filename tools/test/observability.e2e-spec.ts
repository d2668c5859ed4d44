import { execFileSync } from 'node:child_process';
import { parse } from 'yaml';
import { quoted, readPage, sources, tableRows } from './support/documented-tables.js';
import { type ExercisedServices, exerciseServices, TRACE_ID } from './support/exercised-services.js';

let services: ExercisedServices;
beforeAll(async () => {
  services = await exerciseServices();
}, 120_000);
afterAll(async () => services.end());

const PAGE = readPage('docs/operations.md');

interface Figure {
  readonly kind: string;
  readonly help: string;
  readonly labels: ReadonlySet<string>;
}

/** What the running services export, by name. */
function exported(): Map<string, Figure> {
  const found = new Map<string, Figure>();
  for (const [, name = '', kind = ''] of services.figures.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const [, help = ''] = new RegExp(`^# HELP ${name} (.*)$`, 'm').exec(services.figures) ?? [];
    const series = services.figures.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{(.*)\\} `, 'gm'));
    const labels = [...series].flatMap(([, text = '']) =>
      [...text.matchAll(/(\w+)="/g)].map(([, label]) => label!),
    );
    found.set(name, { kind, help, labels: new Set(labels) });
  }
  return found;
}

/** The figures that are not the process's own. */
const own = (): [string, Figure][] => [...exported()].filter(([name]) => !/^(process|nodejs)_/.test(name));

/** Prometheus adds these, and to every figure these labels. */
const OF_PROMETHEUS = new Map([['up', new Set<string>()]]);
const LABELS_OF_PROMETHEUS = ['job', 'instance'];

const NOT_NAMES = new Set(
  'and or unless on ignoring by without bool offset le group_left group_right'.split(' '),
);

/** Every figure that an expression asks for, with the labels it asks by. */
function askedFor(expression: string): [name: string, labels: string[]][] {
  const plain = expression.replace(/\[[^\]]*\]/g, '').replace(/\b(by|on|without)\s*\([^)]*\)/g, '');
  const selectors = plain.matchAll(/\b([a-z_]\w*)\b(?!\s*\()\s*(\{[^}]*\})?/g);
  const withoutStrings = (text = '') => text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return [...selectors]
    .filter(([, name = '']) => !NOT_NAMES.has(name))
    .map(([, name = '', braces]) => [
      name,
      [...withoutStrings(braces).matchAll(/(\w+)\s*[=!]/g)].map(([, l]) => l!),
    ]);
}

function errorsOf(expression: string): string[] {
  const known = exported();
  return askedFor(expression).flatMap(([name, labels]) => {
    const figure = known.get(name) ?? known.get(name.replace(/_(bucket|sum|count)$/, ''));
    const having = figure?.labels ?? OF_PROMETHEUS.get(name);
    if (!having) return [`${name} is not exported`];
    const missing = labels.filter((label) => !having.has(label) && !LABELS_OF_PROMETHEUS.includes(label));
    return missing.map((label) => `${name} has no label ${label}`);
  });
}

test('an expression for a missing metric is an error', () => {
  expect(errorsOf('rate(no_such_total{kind="a"}[5m])')).toEqual(['no_such_total is not exported']);
  expect(errorsOf('client_changes_total{king="deleted"}')).toEqual([
    'client_changes_total has no label king',
  ]);
});

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

function alerts(): Rules['groups'][number]['rules'] {
  return (parse(readPage('deploy/observability/alerts.yaml')) as Rules).groups.flatMap(({ rules }) => rules);
}

test('every metric that an alert uses is exported, with the labels it uses', () => {
  expect(alerts().flatMap(({ alert, expr }) => errorsOf(expr).map((error) => `${alert}: ${error}`))).toEqual(
    [],
  );
});

test('every alert has a test, and is on the page', () => {
  const names = alerts().map(({ alert }) => alert);
  const tests = ['alerts', 'alerts-daily']
    .map((name) => readPage(`deploy/observability/${name}.test.yaml`))
    .join('');
  expect(names.filter((name) => !tests.includes(`alertname: ${name}\n        exp_alerts:`))).toEqual([]);
  expect(tableRows(PAGE, 'alert').map(([name]) => name)).toEqual(names.map((name) => `\`${name}\``));
});

test('every metric that the dashboard uses is exported, with the labels it uses', () => {
  const dashboard = readPage('deploy/observability/grafana-dashboard.json');
  const expressions = [...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
    JSON.parse(text!),
  );
  expect(expressions.length).toBeGreaterThan(20);
  expect(expressions.flatMap((expression) => errorsOf(String(expression)))).toEqual([]);
  // And the other way round: what is exported can be seen.
  const shown = new Set(
    expressions.flatMap((expression) => askedFor(String(expression)).map(([name]) => name)),
  );
  const hidden = own().filter(
    ([name]) => ![name, `${name}_bucket`, `${name}_count`].some((each) => shown.has(each)),
  );
  expect(hidden.map(([name]) => name)).toEqual([]);
});

test("names, units and texts are by Prometheus' conventions", () => {
  for (const [name, { kind, help }] of own()) {
    expect(`${name} ${kind}`).toMatch(
      /^[a-z][a-z0-9_]*_total counter$|^(?!.*_total )[a-z][a-z0-9_]* (gauge|histogram)$/,
    );
    expect(name).not.toMatch(/_(ms|millis\w*|minutes|hours|kb|mb)(_|$)/);
    expect(help).toMatch(/^[A-Z0-9].*\.$/);
    if (kind === 'histogram') expect(name).toMatch(/_seconds$/);
  }
});

test('the page has every metric of the services, with its type and labels, and no other', () => {
  const found = own().map(([name, { kind, labels }]) =>
    [name, kind, ...[...labels].filter((label) => label !== 'service' && label !== 'le').sort()].join(' '),
  );
  const documented = tableRows(PAGE, 'metric')
    .filter(([name]) => name?.startsWith('`'))
    .map(([name, kind, , labels]) => [...quoted(name), kind, ...quoted(labels).sort()].join(' '));
  expect(documented.sort()).toEqual(found.sort());
});

describe('logs', () => {
  const documented = () => new Set(tableRows(PAGE, 'field').flatMap(([name]) => quoted(name)));

  test('every field of every line is on the page', () => {
    const lines = [...services.registry.lines(), ...services.commander.lines()];
    expect(lines.length).toBeGreaterThan(20);
    const seen = new Set(lines.flatMap((line) => Object.keys(line)));
    for (const field of ['trace_id', 'library', 'iplookup', 'applied', 'reason'])
      expect(seen).toContain(field);
    expect([...seen].filter((field) => !documented().has(field))).toEqual([]);
  });

  test('every field in the code is on the page, whether or not this run logged it', () => {
    const calls = sources(['apps/registry-api/src', 'apps/commander-api/src', 'libs/service-kit/src'])
      .flatMap(({ text }) => [
        ...text.matchAll(/(?:logger|lines|log)\??\.(?:debug|info|warn|error|fatal)\(\s*\{([^{}]*)/g),
      ])
      .flatMap(([, members = '']) =>
        [...members.matchAll(/(?:^|,)\s*(\w+)(?=\s*[:,]|\s*$)/g)].map(([, name]) => name!),
      );
    expect(calls.length).toBeGreaterThan(15);
    expect([...new Set(calls)].filter((field) => !documented().has(field))).toEqual([]);
  });

  test('every field on the page exists', () => {
    const text = sources(['apps/registry-api/src', 'apps/commander-api/src', 'libs/service-kit/src'])
      .map(({ text: source }) => source)
      .join('\n');
    const ofPino = ['level', 'time', 'msg'];
    const nowhere = [...documented()].filter(
      (field) => !ofPino.includes(field) && !new RegExp(`\\b${field}\\b`).test(text),
    );
    expect(nowhere).toEqual([]);
  });
});

test('all requests of one svccmd command have one id and the trace of its caller in the log of the registry', () => {
  const lines = services.registry.lines().filter(({ trace_id }) => trace_id === TRACE_ID);
  expect(lines.map(({ route }) => route)).toContain('/client');
  expect(new Set(lines.map(({ request_id }) => request_id)).size).toBe(1);
});

test('the commands on the page about health, metrics and ids work', () => {
  const commands = [...PAGE.matchAll(/^\$ (.*)$/gm)].map(([, command]) => command);
  expect(commands).toHaveLength(6);
  const variables = {
    REGISTRY: services.registry.url,
    COMMANDER: services.commander.url,
    TOKEN: services.registryToken,
    COMMANDER_TOKEN: services.commanderToken,
  };
  const script = ['set -euo pipefail', ...commands].join('\n');
  const printed = execFileSync('bash', ['--norc', '-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...variables },
  });
  expect(printed).toMatch(/"status":"ready".*"status":"ready"[^]*x-request-id: look-for-me/);
});

test.each(['registry', 'commander'] as const)(
  'docs/openapi-%s.json is what the server returns (node tools/docs.mjs writes it)',
  async (name) => {
    const document: unknown = await (await fetch(`${services[name].url}/openapi.json`)).json();
    expect(JSON.parse(readPage(`docs/openapi-${name}.json`))).toEqual(document);
  },
);
