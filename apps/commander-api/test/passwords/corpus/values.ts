/** mulberry32, so that each seed has its own corpus everywhere. */
class Random {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const ALPHANUMERIC = LOWER + UPPER + DIGITS;
const list = (text: string): readonly string[] => text.trim().split(/\s+/);

/** From published lists of the most frequent passwords. */
const COMMON = list(`
  123456 password 12345678 qwerty 123456789 12345 1234 111111 1234567 dragon 123123 baseball abc123 football monkey letmein
  shadow master 696969 michael mustang 666666 qwertyuiop 123321 superman batman trustno1 iloveyou welcome1 admin123 passw0rd
  P@ssw0rd Password1 changeit changeme secret root toor guest rabbitmq postgres mysql minioadmin grafana s3cr3t test1234
`);

const NAMES = list(
  'Anna Lukas Berlin Prague Madrid Bayern Arsenal Summer Winter Spring Autumn Christmas Snoopy Coffee Oliver',
);
const THINGS = list(
  'orders billing users catalog search mail payments reports gateway ledger stock events metrics profile session tickets',
);

/** What files are filled with. A secret is put between marks, which {@link unmark} takes out. */
export class Values {
  private readonly random: Random;

  constructor(
    seed: number,
    /** True for a file whose secrets are where they belong: it has references to them. */
    private readonly isClean: boolean,
  ) {
    this.random = new Random(seed);
  }

  below(limit: number): number {
    return Math.floor(this.random.next() * limit);
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  text(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]).join('');
  }

  /** A password, or in a clean file what refers to one. */
  password(reference: string): string {
    return this.isClean ? reference : `§${this.below(2) === 0 ? this.chosen() : this.drawn()}§`;
  }

  /** A key or token that a program made. */
  token(reference: string): string {
    return this.isClean ? reference : `§${this.drawn(24)}§`;
  }

  /** As people choose them. */
  private chosen(): string {
    const [name, thing] = [this.of(NAMES), this.of(THINGS)];
    const year = 1975 + this.below(50);
    return this.of([
      this.of(COMMON),
      this.of(COMMON),
      `${name}${year}`,
      `${name}${this.below(100)}${this.of(['!', '.', '*', '?'])}`,
      `${thing}-${this.below(1000)}`,
      `${thing}_${name}`,
      `${name.replace('o', '0').replace('e', '3').replace('i', '1')}!${year}`,
      `${thing}pw`,
      `${name}-${this.of(NAMES)}-${this.of(THINGS)}-${this.of(THINGS)}`,
    ]);
  }

  /** As pwgen, openssl, uuidgen and password managers make them. */
  private drawn(least = 8): string {
    const length = least + this.below(16);
    return this.of([
      this.text(ALPHANUMERIC, length),
      this.text(ALPHANUMERIC, length),
      `${this.text(`${ALPHANUMERIC}+/`, 32)}`,
      `${this.text(`${ALPHANUMERIC}+/`, 43)}=`,
      this.text(HEX, 32),
      this.text(HEX, 64),
      `${this.text(ALPHANUMERIC, 5)}${this.of(['!', '%', '*', '^', '+'])}${this.text(ALPHANUMERIC, length)}`,
      this.uuid(),
    ]);
  }

  word(): string {
    return this.of(THINGS);
  }

  host(): string {
    return `${this.word()}-${this.of(['db', 'api', 'mq', 'cache'])}${this.below(9)}.${this.of(['internal', 'example.com', 'svc.cluster.local'])}`;
  }

  port(): number {
    return 1024 + this.below(60_000);
  }

  hex(length: number): string {
    return this.text(HEX, length);
  }

  base64(length: number): string {
    return this.text(`${ALPHANUMERIC}+/`, length);
  }

  uuid(): string {
    return [8, 4, 4, 4, 12].map((length) => this.text(HEX, length)).join('-');
  }

  version(): string {
    return `${this.below(20)}.${this.below(30)}.${this.below(10)}`;
  }
}

/** Writes one file as other people's projects have it, with some values in it. */
export type Shape = (values: Values) => string;

/** A file as generated, and the lines (from 1) with a secret. */
export function unmark(text: string): { readonly text: string; readonly secrets: ReadonlySet<number> } {
  const lines = text.split('\n').entries();
  const secrets = new Set([...lines].flatMap(([index, line]) => (line.includes('§') ? [index + 1] : [])));
  return { text: text.replaceAll('§', ''), secrets };
}
