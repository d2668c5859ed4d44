import type { EffectiveSetting } from '../config/collect-config.js';
import { maskValue } from '../config/mask-value.js';
import type { LoadedConfig } from '../config/read-commander-config.js';

/** One key of the effective configuration as `svccmd config --json` prints it. */
export interface DescribedSetting {
  readonly section: string;
  readonly key: string;
  /** Masked; null when not set. */
  readonly value: string | number | boolean | readonly string[] | null;
  /** `svccmd.conf:12`, the name of an environment variable, or `default`. */
  readonly origin: string;
}

/** Every key with its value, secrets masked, and where it was set. */
export function describeConfig({ settings }: LoadedConfig): DescribedSetting[] {
  return settings.map(({ key, value, origin }: EffectiveSetting) => ({
    section: key.section,
    key: key.key,
    value: value === undefined ? null : shownValue(key.field, maskValue(key, value)),
    origin,
  }));
}

/** Shows durations, which are kept in milliseconds, as they are written. */
function shownValue(
  field: string | undefined,
  value: NonNullable<DescribedSetting['value']>,
): DescribedSetting['value'] {
  if (!field?.endsWith('Ms') || typeof value !== 'number') return value;
  return value % 1_000 === 0 ? `${value / 1_000} s` : `${value} ms`;
}

/** The same as text: one line per key, in columns. */
export function formatConfig(file: string | undefined, settings: readonly DescribedSetting[]): string {
  const rows = settings.map(
    ({ section, key, value, origin }) => [`${section}.${key}`, formatValue(value), origin] as const,
  );
  const width = (column: 0 | 1): number => Math.min(60, Math.max(...rows.map((row) => row[column].length)));
  const [nameWidth, valueWidth] = [width(0), width(1)];
  const lines = rows.map(
    ([name, value, origin]) => `${name.padEnd(nameWidth)}  ${value.padEnd(valueWidth)}  ${origin}`,
  );
  return [`file: ${file ?? 'none'}`, '', ...lines].join('\n');
}

function formatValue(value: DescribedSetting['value']): string {
  if (value === null) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object') return value.length === 0 ? '-' : value.join(', ');
  return String(value);
}
