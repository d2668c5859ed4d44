import type { AccessEntry } from './wire/access-rules.js';
import { ZookeeperSession, type ZookeeperSessionOptions } from './session/zookeeper-session.js';
import {
  decodeMulti,
  decodeMultiRead,
  encodeMulti,
  encodeMultiRead,
  GET_CHILDREN,
  GET_DATA,
  type MultiOperation,
} from './wire/multi.js';
import { type NodeStat, WireReply } from './wire/wire-reply.js';
import { textBytes, WireRequest } from './wire/wire-request.js';
import {
  BAD_ARGUMENTS,
  CONNECTION_LOSS,
  NO_AUTH,
  NO_NODE,
  OPERATION_TIMEOUT,
  REPLY_TOO_LARGE,
  RUNTIME_INCONSISTENCY,
  UNIMPLEMENTED,
  ZookeeperError,
} from './session/zookeeper-error.js';

export type ZookeeperClientOptions = ZookeeperSessionOptions;
export type { MultiOperation };

export interface NodeData extends NodeStat {
  readonly data: Buffer;
}

/** The result of one read in a multi-read; undefined if the node does not exist. */
export type ReadResult<T> = T | 'no-auth' | undefined;

/** ZooKeeper's `ZooDefs.OpCode`. */
const EXISTS = 3;

/** How often a read or a `makePath` is tried when the connection is lost. */
const ATTEMPTS = 10;

/** The ZooKeeper operations a library needs. */
export class ZookeeperClient {
  /** Until a server rejects a multi-read. */
  private readsManyAtOnce = true;

  private constructor(private readonly session: ZookeeperSession) {}

  /** @throws what `ZookeeperSession.connect` throws */
  static async connect(options: ZookeeperClientOptions): Promise<ZookeeperClient> {
    return new ZookeeperClient(await ZookeeperSession.connect(options));
  }

  /** False once the session has ended. */
  get isOpen(): boolean {
    return this.session.isOpen;
  }

  /** @returns undefined if the node does not exist */
  async getData(path: string): Promise<NodeData | undefined> {
    const reply = await this.read('getData', GET_DATA, path);
    return reply && toNodeData(reply);
  }

  /** Names, in no particular order. @returns undefined if the node does not exist */
  async getChildren(path: string): Promise<string[] | undefined> {
    const reply = await this.read('getChildren', GET_CHILDREN, path);
    return reply && toNames(reply);
  }

  /**
   * Reads several nodes in one request, at a fraction of the server's cost for single reads.
   *
   * @returns results in path order; undefined for a missing node, `no-auth` for an unreadable one
   */
  async getDataOfAll(paths: readonly string[]): Promise<ReadResult<NodeData>[]> {
    return (
      (await this.readMany('getData', GET_DATA, paths, toNodeData)) ??
      Promise.all(paths.map(async (path) => this.getData(path).catch(orNoAuth)))
    );
  }

  /** Call once, when the data of these nodes is no longer needed: later replies use its memory. */
  release(nodes: readonly ReadResult<NodeData>[]): void {
    const frames = new Set(nodes.map((node) => typeof node === 'object' && node.data.buffer));
    for (const frame of frames) if (frame) this.session.memory.giveBack(frame);
  }

  /** Like {@link getDataOfAll}, for names of children. */
  async getChildrenOfAll(paths: readonly string[]): Promise<ReadResult<string[]>[]> {
    return (
      (await this.readMany('getChildren', GET_CHILDREN, paths, toNames)) ??
      Promise.all(paths.map(async (path) => this.getChildren(path).catch(orNoAuth)))
    );
  }

  /** Needs no permission. @returns undefined if the node does not exist */
  async getStat(path: string): Promise<NodeStat | undefined> {
    return (await this.read('exists', EXISTS, path))?.stat();
  }

  /** Creates a node and its missing parents; existing nodes are left as they are. */
  async makePath(path: string, acl: readonly AccessEntry[]): Promise<void> {
    if (await this.isThere(path)) return;
    const names = path.split('/').filter((name) => name !== '');
    for (let depth = 1; depth <= names.length; depth += 1) {
      await this.makeNode(`/${names.slice(0, depth).join('/')}`, acl);
    }
  }

  /** Waits for a connection, if it is lost. */
  async connected(): Promise<void> {
    await this.session.connected();
  }

  /**
   * Applies all operations or none.
   *
   * @throws {ZookeeperError} with the path and index of the operation that failed; `CONNECTION_LOSS` and
   * `OPERATION_TIMEOUT` mean that the outcome is unknown
   */
  async multi(operations: readonly MultiOperation[]): Promise<void> {
    operations.forEach(({ type, path }, index) => assertPath(type, path, index));
    const request = encodeMulti(operations, this.session.memory);
    const reply = await this.session.request('multi', operations[0]?.path ?? '', request);
    request.release();
    const errors = decodeMulti(new WireReply(reply));
    // Operations rolled back because of another one's failure carry 0 or RUNTIME_INCONSISTENCY.
    const index = errors.findIndex((code) => code !== 0 && code !== RUNTIME_INCONSISTENCY);
    const culprit = operations[index];
    if (culprit) throw new ZookeeperError(culprit.type, culprit.path, errors[index]!, index);
  }

  /** Ends the session; its ephemeral nodes go immediately if the server can be reached. */
  async close(): Promise<void> {
    await this.session.close();
  }

  private async makeNode(path: string, acl: readonly AccessEntry[]): Promise<void> {
    for (let attempt = 1; !(await this.isThere(path)); attempt += 1) {
      try {
        return await this.multi([{ type: 'create', path, data: Buffer.alloc(0), acl }]);
      } catch (error) {
        if (await this.isThere(path)) return;
        if (!isOutcomeUnknown(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** An unreadable node counts as existing: nodes below it may be readable. */
  private async isThere(path: string): Promise<boolean> {
    try {
      return (await this.getData(path)) !== undefined;
    } catch (error) {
      if (error instanceof ZookeeperError && error.code === NO_AUTH) return true;
      throw error;
    }
  }

  private async read(name: string, code: number, path: string): Promise<WireReply | undefined> {
    assertPath(name, path);
    try {
      return await this.sendRead(name, path, () =>
        new WireRequest(code, textBytes(path) + 1).text(path).bool(false),
      );
    } catch (error) {
      if (error instanceof ZookeeperError && error.code === NO_NODE) return undefined;
      throw error;
    }
  }

  /** @returns undefined if the server does not support multi-reads */
  private async readMany<T>(
    name: string,
    code: typeof GET_DATA | typeof GET_CHILDREN,
    paths: readonly string[],
    toValue: (reply: WireReply) => T,
  ): Promise<ReadResult<T>[] | undefined> {
    if (!this.readsManyAtOnce) return undefined;
    if (paths.length === 0) return [];
    paths.forEach((path) => assertPath(name, path));
    try {
      const reply = await this.sendRead(name, paths[0]!, () => encodeMultiRead(code, paths));
      return decodeMultiRead(reply, toValue).map((outcome, index) => {
        if ('value' in outcome) return outcome.value;
        if (outcome.code === NO_NODE) return undefined;
        if (outcome.code === NO_AUTH) return 'no-auth';
        throw new ZookeeperError(name, paths[index]!, outcome.code);
      });
    } catch (error) {
      if (!(error instanceof ZookeeperError)) throw error;
      if (error.code === REPLY_TOO_LARGE && paths.length > 1)
        return this.readHalves(name, code, paths, toValue);
      if (error.code !== UNIMPLEMENTED) throw error;
      this.readsManyAtOnce = false;
      return undefined;
    }
  }

  /** Splits a multi-read whose reply was too large; a single node that is too large is an error. */
  private async readHalves<T>(
    name: string,
    code: typeof GET_DATA | typeof GET_CHILDREN,
    paths: readonly string[],
    toValue: (reply: WireReply) => T,
  ): Promise<ReadResult<T>[] | undefined> {
    const middle = Math.ceil(paths.length / 2);
    const first = await this.readMany(name, code, paths.slice(0, middle), toValue);
    const second = await this.readMany(name, code, paths.slice(middle), toValue);
    return first && second && [...first, ...second];
  }

  /** Retries a read after a lost connection, up to `ATTEMPTS` times in all, and once on another server after a timeout. */
  private async sendRead(name: string, path: string, encode: () => WireRequest): Promise<WireReply> {
    let unanswered = 0;
    for (let attempt = 1; ; attempt += 1) {
      await this.session.connected();
      try {
        return new WireReply(await this.session.request(name, path, encode()));
      } catch (error) {
        if (!isOutcomeUnknown(error) || attempt === ATTEMPTS) throw error;
        if (error.code !== OPERATION_TIMEOUT) continue;
        const mayLeave = (unanswered += 1) === 1;
        if (!mayLeave || !this.session.leaveServer(`no response to ${name} ${path} in time`)) throw error;
      }
    }
  }
}

/** The connection was lost or the request timed out: the operation may or may not have taken effect. */
export function isOutcomeUnknown(error: unknown): error is ZookeeperError {
  return (
    error instanceof ZookeeperError && (error.code === CONNECTION_LOSS || error.code === OPERATION_TIMEOUT)
  );
}

function orNoAuth(error: unknown): 'no-auth' {
  if (error instanceof ZookeeperError && error.code === NO_AUTH) return 'no-auth';
  throw error;
}

function toNodeData(reply: WireReply): NodeData {
  const data = reply.data();
  return { data, ...reply.stat() };
}

function toNames(reply: WireReply): string[] {
  return Array.from({ length: Math.max(0, reply.int()) }, () => reply.text());
}

/** Some invalid paths would be misread by the server. */
function assertPath(operation: string, path: string, index?: number): void {
  const isValid = path === '/' || (path.startsWith('/') && !path.endsWith('/') && !path.includes('//'));
  if (!isValid) throw new ZookeeperError(operation, path, BAD_ARGUMENTS, index);
}
