import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { readPage } from './support/documented-tables.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const found = spawnSync(
  process.execPath,
  ['tools/setup/debian-program.mjs', 'prometheus', 'usr/bin/promtool'],
  { cwd: root, encoding: 'utf8' },
);
const promtool = found.status === 0 ? found.stdout.trim() : undefined;

/** Without promtool (no Debian, no network), these tests are reported as skipped. */
const check = promtool === undefined ? test.skip : test;

check.each([
  ['the rules are rules', ['check', 'rules', 'alerts.yaml']],
  [
    'each alert fires when it should, and not before',
    ['test', 'rules', 'alerts.test.yaml', 'alerts-daily.test.yaml'],
  ],
  ['the configuration is one', ['check', 'config', '--syntax-only', 'prometheus.yaml']],
])('%s', (_fact, args) => {
  const cwd = `${root}deploy/observability`;
  const { status, stdout, stderr } = spawnSync(String(promtool), args, { cwd, encoding: 'utf8' });
  expect({ status, printed: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, printed: '' });
});

interface PodMonitor {
  readonly spec: {
    readonly jobLabel?: string;
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
  };
}

interface RuleTests {
  readonly tests: readonly {
    readonly input_series: readonly { readonly series: string; readonly values: string }[];
    readonly alert_rule_test: readonly { readonly eval_time: string; readonly alertname: string }[];
  }[];
}

check.each(['alerts.test.yaml', 'alerts-daily.test.yaml'])(
  'no series of another service fires an alert of %s, whatever its metrics are called',
  (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-alerts-'));
    const { tests, ...settings } = parse(readPage(`deploy/observability/${name}`)) as RuleTests;
    const ofAnother = (series: string) => series.replaceAll(/\b(job|service)="[^"]*"/g, '$1="another"');
    const silent = tests.map((each) => ({
      ...each,
      input_series: each.input_series.map(({ series, values }) => ({ series: ofAnother(series), values })),
      alert_rule_test: each.alert_rule_test.map(({ eval_time, alertname }) => ({ eval_time, alertname })),
    }));
    writeFileSync(join(folder, 'alerts.yaml'), readPage('deploy/observability/alerts.yaml'));
    writeFileSync(join(folder, name), JSON.stringify({ ...settings, tests: silent }));
    const { status, stdout, stderr } = spawnSync(String(promtool), ['test', 'rules', name], {
      cwd: folder,
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    expect({ status, printed: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, printed: '' });
  },
);

test("the Prometheus operator names jobs as the rules do, after the pods' label", () => {
  const inRules = [...readPage('deploy/observability/alerts.yaml').matchAll(/job=~"([^"]*)"/g)];
  const rules = new Set(inRules.flatMap(([, names]) => names!.split('|')));
  const monitors = parseAllDocuments(
    readPage('deploy/kubernetes/components/pod-monitor/pod-monitors.yaml'),
  ).map((document) => document.toJS() as PodMonitor);
  const jobs = monitors.map(({ spec }) => spec.selector.matchLabels[spec.jobLabel ?? '']);
  expect([...jobs].sort()).toEqual([...rules].sort());
});

/** Debian builds promtool without the discovery of pods, which is replaced here; all else is checked. */
check('the configuration for Kubernetes is valid', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-prometheus-'));
  const configuration = readFileSync(`${root}deploy/observability/prometheus-kubernetes.yaml`, 'utf8');
  const checkable = configuration.replaceAll(
    /kubernetes_sd_configs: .*/g,
    "static_configs: [{ targets: ['pod:8080'] }]",
  );
  writeFileSync(join(folder, 'prometheus.yaml'), checkable);
  const { stdout, stderr } = spawnSync(
    String(promtool),
    ['check', 'config', '--syntax-only', 'prometheus.yaml'],
    { cwd: folder, encoding: 'utf8' },
  );
  rmSync(folder, { recursive: true });
  expect(stdout + stderr).toContain('SUCCESS');
});

test('every expression of the dashboard selects the services, not only instances', () => {
  const dashboard = readPage('deploy/observability/grafana-dashboard.json').replaceAll('\\"', '"');
  const selectors = [...dashboard.matchAll(/\w+\{[^}]*instance=~[^}]*\}/g)].map(([selector]) => selector);
  expect(selectors.length).toBeGreaterThan(40);
  expect(selectors.filter((selector) => !/\bservice=~?"/.test(selector))).toEqual([]);
});

/** As recording rules, which promtool checks; Grafana fills in its variables. */
check('every expression of the dashboard is one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-dashboard-'));
  const dashboard = readFileSync(`${root}deploy/observability/grafana-dashboard.json`, 'utf8');
  const rules = [...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, text], at) => ({
    record: `panel:${at}`,
    expr: String(JSON.parse(text!)).replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
  }));
  writeFileSync(join(folder, 'rules.yaml'), JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  const { stdout, stderr } = spawnSync(String(promtool), ['check', 'rules', 'rules.yaml'], {
    cwd: folder,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect(stdout + stderr).toContain(`SUCCESS: ${rules.length} rules found`);
});
