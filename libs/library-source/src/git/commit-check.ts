import {
  bytesOf,
  type LastLoaded,
  type LibraryFinding,
  SourceConfigurationError,
  type SourceSignature,
  type SourceTree,
  UnverifiedSourceError,
} from '@svc/library-sync';
import { type AllowedKeys, readAllowedKeys, type SignatureFormat } from '../signatures/allowed-keys.js';
import { SignatureRefusal } from '../signatures/signed-text.js';
import { type Descent, findNoDescent } from './ancestry.js';
import type { GitRemote } from './git-remote.js';
import type { GitObjects } from './read-pack.js';
import { readCommit, readTag, type SignedObject } from './signed-object.js';

/** Which commits may be loaded. */
export interface VerifyOptions {
  readonly format: SignatureFormat;
  /** File with the keys that may sign. */
  readonly signers: string;
  /** Accepts a commit that does not descend from the one loaded last. */
  readonly allowsOlder?: boolean | undefined;
  /** Only warns of what would be refused. */
  readonly onlyWarns?: boolean | undefined;
}

/** What was fetched, and for what. */
interface Fetched extends Omit<Descent, 'commit' | 'ancestor'> {
  /** Id of the commit, or of the annotated tag that points to it. */
  readonly oid: string;
  readonly revision: string;
}

type Checked = Pick<SourceTree, 'signature' | 'isOlder' | 'warnings'>;

/** Decides whether a commit may be loaded: a listed key signed it, and it descends from the one loaded last. */
export class CommitCheck {
  /**
   * @param repository its address, for messages
   * @param ref what was asked for
   * @param lastLoaded the commit that the destination has, if any
   */
  constructor(
    private readonly options: VerifyOptions,
    private readonly repository: string,
    private readonly ref: string | undefined,
    private readonly lastLoaded: (() => Promise<LastLoaded | undefined>) | undefined,
  ) {}

  /**
   * @throws {UnverifiedSourceError}
   * @throws {SourceConfigurationError} if the list of allowed signers cannot be used
   */
  async check(remote: GitRemote, fetched: Fetched): Promise<Checked> {
    const warnings: LibraryFinding[] = [];
    const { revision } = fetched;
    const refuse = (message: string, cause?: unknown): void => {
      if (!this.options.onlyWarns) throw new UnverifiedSourceError(message, { cause });
      warnings.push({
        severity: 'warning',
        path: '',
        code: 'unverified',
        message: `${message}; a load refuses it`,
      });
    };
    const keys = await this.readKeys();
    const signature = await this.verify(keys, fetched).catch((error: unknown) => {
      if (!(error instanceof SignatureRefusal)) throw error;
      refuse(error.message, error);
      return undefined;
    });
    const older = await this.findOlder(remote, fetched);
    if (older !== undefined && !this.options.allowsOlder) {
      refuse(`commit ${revision} of ${this.repository} ${older} (?allow_older=true over HTTP)`);
    }
    return { signature, isOlder: older !== undefined, warnings };
  }

  private async readKeys(): Promise<AllowedKeys> {
    const { format, signers } = this.options;
    return readAllowedKeys(format, signers).catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error;
      throw new SourceConfigurationError(
        `${error.message}; correct the file, or set source.allowed_signers to another`,
        { cause: error },
      );
    });
  }

  private async verify(keys: AllowedKeys, { oid, objects }: Fetched): Promise<SourceSignature> {
    const { kind, name, object } = findSigned(oid, objects, this.repository);
    const place = `${kind} ${name} of ${this.repository}`;
    if (kind === 'tag') this.assertTagName(place, object);
    return verifyObject(keys, place, object);
  }

  /** A server could answer with another tag that is signed as well. */
  private assertTagName(place: string, { tagName }: SignedObject): void {
    const asked = this.ref?.replace(/^refs\/tags\//, '');
    if (asked === undefined || asked === tagName || /^[0-9a-f]{40}$/.test(asked)) return;
    throw new SignatureRefusal(
      `${place} was requested as ${JSON.stringify(asked)}; create a tag with that name, and sign it`,
    );
  }

  /** @returns what completes "commit …", with the remedy, if it is not known to descend from the one loaded last */
  private async findOlder(remote: GitRemote, fetched: Fetched): Promise<string | undefined> {
    const last = await this.lastLoaded?.();
    if (last === undefined) return undefined;
    if ('unknown' in last) {
      return `is not known to descend from the one loaded last (${last.unknown}); load it once with --allow-older`;
    }
    const ancestor = last.revision;
    const reason = await findNoDescent(remote, { ...fetched, commit: fetched.revision, ancestor });
    return (
      reason &&
      `${reason}, which was loaded last; load a newer commit, or load this one once with --allow-older`
    );
  }
}

async function verifyObject(
  keys: AllowedKeys,
  place: string,
  object: SignedObject,
): Promise<SourceSignature> {
  try {
    const { name, key } = await keys.verify(object, new Date());
    return { signed_by: name, signing_key: key, signed_at: new Date(object.seconds * 1000).toISOString() };
  } catch (error) {
    if (!(error instanceof SignatureRefusal)) throw error;
    throw new SignatureRefusal(`${place} ${error.message}`, { cause: error });
  }
}

interface Signed {
  readonly kind: 'tag' | 'commit';
  /** The name of a tag; the SHA-1 of a commit. */
  readonly name: string;
  readonly object: SignedObject;
}

/** The first signed tag from the requested object down to its commit, or else the commit, whether signed or not. */
function findSigned(oid: string, objects: GitObjects, repository: string): Signed {
  for (let next = oid; ;) {
    // GitTree.commit() has followed the tags.
    const { type, data } = objects.get(next)!;
    const read = type === 'tag' ? readTag : readCommit;
    const object = parse(() => read(bytesOf(data)), `${type} ${next} of ${repository}`);
    if (type !== 'tag') return { kind: 'commit', name: next, object };
    if (object.signature !== undefined) return { kind: 'tag', name: object.tagName ?? next, object };
    next = object.links[0]!;
  }
}

/** @throws {SignatureRefusal} if git would not have written the object like this */
function parse(read: () => SignedObject, place: string): SignedObject {
  try {
    return read();
  } catch (error) {
    throw new SignatureRefusal(
      `${place} cannot be verified: ${(error as Error).message}; create and sign it again with git`,
      { cause: error },
    );
  }
}
