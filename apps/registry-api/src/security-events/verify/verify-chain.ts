import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { BrokenRecordError } from './audit.errors.js';
import type { ChainEnds, EndRow, StoredEvent } from './read-chain.js';

/** What a verification found. */
export interface Verification {
  /** How many events it verified. */
  readonly events: number;
  /** The first and the last of them, as `<seq>-<mac>`; absent if there is none. */
  readonly first?: string;
  readonly last?: string;
}

/**
 * Verifies the record from what is stored alone. Deliberately shares no code with what writes it, so that a mistake there is
 * found here. `docs/security.md` documents what each MAC covers.
 */
export class ChainVerifier {
  private readonly keys: ReadonlyMap<string, Buffer>;
  private readonly anchor: EndRow;
  private events = 0;
  private first: string | undefined;
  private seq: bigint;
  private mac: Buffer;
  private hasNoted: boolean;

  /**
   * @param peppers the current one and former ones, in any order
   * @param noted an event that an earlier verification named, `<seq>-<mac>`: the record must contain it
   * @throws {BrokenRecordError}
   */
  constructor(
    peppers: readonly string[],
    private readonly ends: ChainEnds,
    private readonly noted?: string,
  ) {
    this.keys = new Map(peppers.map((pepper) => [pepperId(pepper), keyFrom(pepper)]));
    this.anchor = ends.anchor;
    this.seq = BigInt(ends.anchor.seq);
    this.mac = ends.anchor.mac;
    if (this.seq !== 0n) this.verifyEnd('anchor', ends.anchor);
    this.hasNoted = noted === undefined || this.isNoted();
  }

  /** The next events, in order. @throws {BrokenRecordError} */
  take(events: readonly StoredEvent[]): void {
    for (const event of events) this.takeOne(event);
  }

  /** Call it after the last event. @throws {BrokenRecordError} */
  finish(): Verification {
    const { head } = this.ends;
    const missing = `the audit log ends at event ${this.seq}, but its head is event ${head.seq}: later events were removed`;
    if (this.seq < BigInt(head.seq)) throw new BrokenRecordError(missing);
    if (this.seq > BigInt(head.seq) || !this.mac.equals(head.mac)) {
      throw new BrokenRecordError(
        `the last event is ${this.seq}, but the head names ${head.seq}: one was replaced`,
      );
    }
    if (this.seq !== 0n) this.verifyEnd('head', head);
    if (!this.hasNoted) throw new BrokenRecordError(this.notedMissing());
    const { events, first } = this;
    return first === undefined ? { events } : { events, first, last: this.position() };
  }

  private takeOne(event: StoredEvent): void {
    const expected = this.seq + 1n;
    if (BigInt(event.seq) !== expected) {
      throw new BrokenRecordError(
        `event ${expected} is missing: after ${this.seq} comes ${event.seq}; it was removed or moved`,
      );
    }
    const key = this.keyOf(event.keyId, `event ${event.seq}`);
    if (!isEqual(hmac(key, contentOf(event, this.mac)), event.mac)) {
      throw new BrokenRecordError(
        `event ${event.seq} of ${event.at} does not match its MAC: it, or the one before, was changed`,
      );
    }
    if (event.kind === 'record_broken') {
      throw new BrokenRecordError(
        `the registry found the audit log changed when it added event ${event.seq} of ${event.at}: ${event.details}`,
      );
    }
    if (event.kind === 'record_unverified') this.verifyFormerHead(event);
    this.seq = expected;
    this.mac = event.mac;
    this.events += 1;
    this.first ??= this.position();
    this.hasNoted ||= this.isNoted();
  }

  /** A registry that did not know the pepper of the head before this event left a hash of its proof for us to verify. */
  private verifyFormerHead({ seq, details }: StoredEvent): void {
    const { key_id, proof_sha256 } = JSON.parse(details) as Readonly<
      Record<'key_id' | 'proof_sha256', string>
    >;
    const key = this.keyOf(key_id, `the head of the audit log before event ${seq}`);
    const proof = proofOf('head', key, String(this.seq), this.mac);
    if (isEqual(createHash('sha256').update(proof).digest(), Buffer.from(proof_sha256, 'hex'))) return;
    throw new BrokenRecordError(
      `the head of the audit log had no valid proof when event ${seq} was added: events before it were removed`,
    );
  }

  private verifyEnd(end: 'head' | 'anchor', { seq, mac, keyId, proof }: EndRow): void {
    const key = this.keyOf(keyId, `the ${end} of the audit log`);
    if (isEqual(proofOf(end, key, seq, mac), proof)) return;
    throw new BrokenRecordError(
      end === 'head'
        ? `the head of the audit log, event ${seq}, has no valid proof: later events were removed`
        : `the audit log begins after event ${seq} without a valid proof: earlier events were deleted by something other than the registry`,
    );
  }

  private keyOf(id: string, what: string): Buffer {
    const key = this.keys.get(id);
    if (key) return key;
    throw new BrokenRecordError(
      `${what} was recorded with the pepper ${id}, which SECRET_PEPPER does not list; add it after the current one`,
    );
  }

  private position(): string {
    return `${this.seq}-${this.mac.toString('hex')}`;
  }

  private isNoted(): boolean {
    return this.position() === this.noted;
  }

  private notedMissing(): string {
    const [seq = '0'] = (this.noted ?? '').split('-');
    return /^\d+$/.test(seq) && BigInt(seq) < BigInt(this.anchor.seq)
      ? `event ${seq} was deleted because of its age; note a later one`
      : `the audit log does not contain event ${this.noted}: it was replaced, or restored to an earlier state`;
  }
}

/** What the MAC of an event covers. */
function contentOf(event: StoredEvent, former: Buffer): string {
  return joined(
    'svc-registry security event 1',
    event.seq,
    event.at,
    event.kind,
    event.actorId,
    event.actorName,
    event.actorSource,
    event.address,
    event.subject,
    event.details,
    former.toString('hex'),
  );
}

/** What proves an end of the record. */
function proofOf(end: 'head' | 'anchor', key: Buffer, seq: string, mac: Buffer): Buffer {
  return hmac(key, joined(`svc-registry security event ${end} 1`, seq, mac.toString('hex')));
}

/** Netstrings: the length in bytes, a colon, the bytes, a comma. */
function joined(...texts: readonly string[]): string {
  let content = '';
  for (const text of texts) content += `${Buffer.from(text, 'utf8').length}:${text},`;
  return content;
}

function hmac(key: string | Buffer, content: string): Buffer {
  return createHmac('sha256', key).update(content, 'utf8').digest();
}

function keyFrom(pepper: string): Buffer {
  return Buffer.from(
    hkdfSync('sha256', Buffer.from(pepper), Buffer.alloc(0), 'svc-registry security events', 32),
  );
}

function pepperId(pepper: string): string {
  return hmac(pepper, 'pepper id').subarray(0, 8).toString('hex');
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
