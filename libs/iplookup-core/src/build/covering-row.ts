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
  private isIpv4 = false;
  private readonly address = new Uint32Array(4);
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
    const { wide, address } = this;
    if (this.plan.format.width === 4) wide.set(range.subarray(0, 8));
    else wide.set([0, 0, 0xffff, range[0]!, 0, 0, 0xffff, range[1]!]);
    if (compareWords(wide, 0, address, 0, 4) > 0 || compareWords(wide, 4, address, 0, 4) < 0) return;
    const size = toBigInt(wide, 4) - toBigInt(wide, 0);
    // Rows of IPv4 addresses come before IPv6 rows that contain them in another form.
    const isIpv4 = isMapped(wide, 0) && isMapped(wide, 4);
    const isLess = this.isIpv4 && !isIpv4;
    const isWider = this.plan.overlap === 'specific' && size > this.size && isIpv4 === this.isIpv4;
    if (this.line !== undefined && (isLess || isWider)) return;
    this.line = line;
    this.size = size;
    this.isIpv4 = isIpv4;
  }
}

function isMapped(words: Uint32Array, at: number): boolean {
  return words[at] === 0 && words[at + 1] === 0 && words[at + 2] === 0xffff;
}
