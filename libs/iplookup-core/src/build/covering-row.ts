import { compareWords, toBigInt } from '../address/address-words.js';
import { parseAddress } from '../address/parse-address.js';
import type { BuildPlan } from './build-plan.js';
import { ViolationList } from './input-violations.js';
import { isDropped, kindOf } from './row-payload.js';
import { RowReader } from './row-reader.js';

/** Finds the row of a CSV file that gives an address its record. */
export class CoveringRow {
  /** Where the row starts; undefined if no row covers the address. */
  line: number | undefined;
  private size = 0n;
  private rank = 0;
  private readonly address = new Uint32Array(4);
  /** The forms in which other rows may contain an IPv4 address: `::ffff:1.2.3.4` and `::1.2.3.4`. */
  private readonly forms: readonly [Uint32Array, Uint32Array] | undefined;
  private readonly reader: RowReader;
  private readonly wide = new Uint32Array(8);

  /** @throws {RangeError} if the address is invalid */
  constructor(
    private readonly plan: BuildPlan,
    address: string,
  ) {
    const family = parseAddress(address, this.address);
    if (family === undefined) throw new RangeError(`${JSON.stringify(address)} is not an IP address`);
    if (family === 4) this.address.set([0, 0, 0xffff, this.address[0]!]);
    const ipv4 = embeddedIpv4(this.address);
    if (ipv4 !== undefined) this.forms = [Uint32Array.of(0, 0, 0xffff, ipv4), Uint32Array.of(0, 0, 0, ipv4)];
    this.reader = new RowReader(plan, this, new ViolationList(plan.file));
  }

  /** Processes the next bytes, split anywhere. @throws {LookupInputError} if the whole file is invalid */
  push(chunk: Uint8Array): void {
    this.reader.push(chunk);
  }

  /** Ends the input. @throws {LookupInputError} if the whole file is invalid */
  end(): void {
    this.reader.end();
  }

  /** Receives a row from the reader. */
  add(range: Uint32Array, payload: number, line: number): void {
    if (isDropped(kindOf(payload), this.plan.dropEmptyRows)) return;
    const { wide } = this;
    if (this.plan.format.width === 4) wide.set(range.subarray(0, 8));
    else wide.set([0, 0, 0xffff, range[0]!, 0, 0, 0xffff, range[1]!]);
    const rank = this.rankOf(wide);
    if (rank === 0 || rank < this.rank) return;
    const size = toBigInt(wide, 4) - toBigInt(wide, 0);
    if (rank === this.rank && this.plan.overlap === 'specific' && size > this.size) return;
    this.line = line;
    this.size = size;
    this.rank = rank;
  }

  /** 0 if the row does not apply. Rows of IPv4 addresses come before IPv6 rows that contain them in another form. */
  private rankOf(wide: Uint32Array): number {
    const { address, forms, plan } = this;
    if (isSixToFour(address) && isIn(wide, address)) return 3;
    if (!forms) return isIn(wide, address) ? 1 : 0;
    const [mapped, compatible] = forms;
    if (isIn(wide, mapped)) return isMapped(wide, 0) && isMapped(wide, 4) ? 2 : 1;
    return isIn(wide, compatible) && !plan.forceIpv4 ? 1 : 0;
  }
}

/** The IPv4 address that a lookup finds at an IPv6 address. */
function embeddedIpv4(address: Uint32Array): number | undefined {
  if (isSixToFour(address)) return ((address[0]! << 16) | (address[1]! >>> 16)) >>> 0;
  const isCompatible = address[0] === 0 && address[1] === 0 && address[2] === 0;
  return isCompatible || isMapped(address, 0) ? address[3] : undefined;
}

const isSixToFour = (address: Uint32Array): boolean => address[0]! >>> 16 === 0x2002;

const isIn = (wide: Uint32Array, address: Uint32Array): boolean =>
  compareWords(wide, 0, address, 0, 4) <= 0 && compareWords(wide, 4, address, 0, 4) >= 0;

function isMapped(words: Uint32Array, at: number): boolean {
  return words[at] === 0 && words[at + 1] === 0 && words[at + 2] === 0xffff;
}
