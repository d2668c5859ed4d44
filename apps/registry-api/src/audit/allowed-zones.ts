import { BlockList, isIP } from 'node:net';
import type { Zone, Zones } from './lookup-file.js';

/** Matches zones in which a column has this value. */
interface ZoneRule {
  readonly column: string;
  readonly value: string;
}

/** The column that an entry without `=` refers to. */
const NAME_COLUMN = 'zone';

/** A zone's name. Excludes what could be a mistyped address. */
const NAME = /^[\p{L}_][^/:=]*$/u;

/** Addresses in the cache. */
const MAX_DECIDED = 10_000;

const ADDRESS = /^([^/]+)(?:\/(\d{1,3}))?$/;

const FAMILIES = { 4: { name: 'ipv4', bits: 32 }, 6: { name: 'ipv6', bits: 128 } } as const;

/** The zones and addresses from which the admin API may be used. */
export class AllowedZones {
  private readonly blocks = new BlockList();
  /** Whether addresses are in a block. Cached, because each check takes several microseconds. */
  private readonly decided = new Map<string, boolean>();
  private readonly rules: readonly ZoneRule[];

  /**
   * @param list comma-separated: addresses, CIDR blocks, `column=value`, or values of the column `zone`
   * @throws {RangeError} that names all other entries
   */
  constructor(readonly list: string) {
    const entries = list
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
    const named = entries.filter((entry) => !this.addBlock(entry));
    const wrong = named.filter((entry) => toRule(entry) === undefined);
    if (entries.length === 0) throw new RangeError('lists no zone');
    if (wrong.length > 0) {
      const names = wrong.map((entry) => `'${entry}'`).join(', ');
      throw new RangeError(`${names}: not an address, a CIDR block, column=value or the name of a zone`);
    }
    this.rules = named.flatMap((entry) => toRule(entry) ?? []);
  }

  /** Whether any entry needs a lookup file. */
  get needLookup(): boolean {
    return this.rules.length > 0;
  }

  /** @param address as the system writes it; IPv4-mapped IPv6 addresses count as IPv4 */
  admit(address: string, zones?: Zones): boolean {
    if (this.isInBlock(address)) return true;
    const zone = this.needLookup ? zones?.zoneOf(address) : undefined;
    return zone !== undefined && this.rules.some(({ column, value }) => hasValue(zone, column, value));
  }

  private addBlock(entry: string): boolean {
    const [, address = '', prefix] = ADDRESS.exec(entry) ?? [];
    const family = familyOf(address);
    if (!family || Number(prefix ?? 0) > family.bits) return false;
    this.blocks.addSubnet(address, Number(prefix ?? family.bits), family.name);
    return true;
  }

  private isInBlock(address: string): boolean {
    const known = this.decided.get(address);
    if (known !== undefined) return known;
    const bare = address.replace(/%.*$/, '');
    const family = familyOf(bare);
    const isIn = family !== undefined && this.blocks.check(bare, family.name);
    if (this.decided.size >= MAX_DECIDED) this.decided.clear();
    this.decided.set(address, isIn);
    return isIn;
  }
}

function familyOf(address: string): (typeof FAMILIES)[4 | 6] | undefined {
  if (address.includes('%')) return undefined;
  const family = isIP(address);
  return family === 4 || family === 6 ? FAMILIES[family] : undefined;
}

function toRule(entry: string): ZoneRule | undefined {
  if (NAME.test(entry)) return { column: NAME_COLUMN, value: entry };
  const [, column = '', value = ''] = /^([^=]+)=(.*)$/.exec(entry) ?? [];
  const rule = { column: column.trim(), value: value.trim() };
  return rule.column === '' || rule.value === '' ? undefined : rule;
}

/** @param column of a nested record: its path, such as `country.iso_code` */
function hasValue(zone: Zone, column: string, value: string): boolean {
  const found = Object.hasOwn(zone, column) ? zone[column] : valueAt(zone, column.split('.'));
  return typeof found !== 'object' && found !== undefined && String(found) === value;
}

function valueAt(zone: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return zone;
  if (typeof zone !== 'object' || zone === null || !Object.hasOwn(zone, name)) return undefined;
  return valueAt((zone as Zone)[name], rest);
}
