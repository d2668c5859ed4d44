import { scrypt } from 'node:crypto';

/** Which rule found a plain password. */
export type PlainRule = 'key-name' | 'token' | 'entropy' | 'marked';

/** What messages and lists of exceptions say of a value. */
interface Place {
  readonly line: number;
  /** The path of its key, or the name of the token's form. */
  readonly name: string;
  /** True for a whole value of a parsed document, at its own key; false for part of one, and in comments and other text. */
  readonly isScalar?: boolean | undefined;
}

/** A password in plain text. Its value is private, so that it cannot end up in logs or JSON. */
export class PlainPassword {
  readonly #value: string;
  readonly line: number;
  readonly name: string;
  readonly isScalar: boolean;

  constructor(
    readonly rule: PlainRule,
    { line, name, isScalar = false }: Place,
    value: string,
  ) {
    this.line = line;
    this.name = name;
    this.isScalar = isScalar;
    this.#value = value;
  }

  get message(): string {
    if (this.rule === 'token')
      return `plain ${this.name}; encrypt it with "svccmd encpwd", and revoke it if it was shared`;
    const key = JSON.stringify(this.name);
    if (this.rule === 'marked')
      return `marked !encpwd-plain at ${key}, but not encrypted; run "svccmd encpwd --file"`;
    return this.rule === 'key-name'
      ? `plain password at ${key}; encrypt it with "svccmd encpwd --set"`
      : `value at ${key} looks like a secret; encrypt it with "svccmd encpwd --set", or allow it`;
  }

  /**
   * Identifies the value at its key, for lists of what is allowed. Slow on purpose (scrypt), so that guesses at a password cannot
   * be tested quickly.
   */
  async fingerprint(): Promise<string> {
    return new Promise((resolve, reject) => {
      scrypt(this.#value, `encpwd plain ${this.name}`, 12, (error, hash) =>
        error ? reject(error) : resolve(hash.toString('base64url')),
      );
    });
  }

  /** True if both are about the same text. */
  covers(other: PlainPassword): boolean {
    return (
      this.line === other.line && (this.#value.includes(other.#value) || other.#value.includes(this.#value))
    );
  }
}
