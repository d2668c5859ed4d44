import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const found = spawnSync(process.execPath, ['tools/setup/promtool.mjs'], { cwd: root, encoding: 'utf8' });
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
